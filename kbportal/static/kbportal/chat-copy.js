// An answer as plain text with its sources, and one answer on paper.
const COPIED_FOR = 4000;
const PARTS = "h2, h3, p, .citation";

document.addEventListener("click", (event) => {
  const printed = event.target.closest("[data-print]");
  if (printed) printOne(printed.closest("article"));
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
addEventListener("afterprint", () => {
  document.body.classList.remove("print-one");
  document.querySelector(".printed")?.classList.remove("printed");
});

// The button beneath an answer prints that one; the browser's own command prints the conversation.
function printOne(article) {
  document.body.classList.add("print-one");
  article.classList.add("printed");
  print();
}

async function copy(button) {
  const word = (await written(plain(button.closest("article")))) ? "copied" : "not-copied";
  const said = document.getElementById("avisos").content.querySelector(`[data-word="${word}"]`).textContent;
  button.dataset.label ||= button.textContent;
  button.textContent = said;
  // Emptied first: what is said twice in the same words is not said again by a screen reader.
  document.getElementById("andamento").textContent = "";
  setTimeout(() => (document.getElementById("andamento").textContent = said), 0);
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => (button.textContent = button.dataset.label), COPIED_FOR);
}

// What paper shows, in its order: controls and what stays between reader and owner are left out.
function plain(article) {
  const kept = (part) => !part.closest(".no-print, .print-only, .objected") && !part.parentElement.closest(".citation");
  return [...article.querySelectorAll(PARTS)].filter(kept).map(paragraph).join("\n\n").replace("\n\n", "\n");
}

function paragraph(part) {
  if (!part.matches(".citation")) {
    const links = [...part.querySelectorAll("a")].map((link) => ` (${link.href})`);
    return line(part) + links.join("");
  }
  const link = part.querySelector("a");
  const facts = [...part.querySelectorAll(".facts > li")].map(line).join(" · ");
  return `“${part.querySelector("blockquote").textContent.trim()}”\n${line(link)} · ${facts}\n${link.href}`;
}

function line(node) {
  return node.textContent.replace(/\s+/g, " ").trim();
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writtenBySelection(text); // a page without TLS has no clipboard of its own
  }
}

function writtenBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
