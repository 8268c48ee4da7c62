// The document page: brings the marked quote into view and shows in the contents where the reader is.
// Without it the page is whole: "#_trecho" leads to the quote, and the contents are plain links.

function showQuote() {
  const quote = document.getElementById("_trecho");
  if (!quote) return;
  quote.scrollIntoView({ block: "center" });
  quote.focus({ preventScroll: true });
}

function followReading() {
  const contents = document.querySelector(".toc-beside");
  if (!contents || !("IntersectionObserver" in window)) return;
  const links = new Map();
  for (const link of contents.querySelectorAll("a")) links.set(decodeURIComponent(link.hash.slice(1)), link);
  const sections = [...document.querySelectorAll("article > section[id]")].filter((section) => links.has(section.id));
  const seen = new Set();
  let current = null;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) seen.add(entry.target);
        else seen.delete(entry.target);
      }
      const first = sections.find((section) => seen.has(section));
      const link = first ? links.get(first.id) : current;
      if (link === current) return;
      current?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "location");
      current = link;
      const top = link.offsetTop - contents.clientHeight / 2;
      if (contents.scrollHeight > contents.clientHeight) contents.scrollTo({ top });
    },
    { rootMargin: "-8% 0px -70% 0px" },
  );
  for (const section of sections) observer.observe(section);
}

showQuote();
followReading();
