// Suggestions for a text box from the server: the box works without them, whatever is typed is checked there.
const WAIT_MS = 150;

for (const box of document.querySelectorAll("[data-suggest]")) {
  const list = document.createElement("datalist");
  list.id = `${box.id}-suggestions`;
  box.after(list);
  box.setAttribute("list", list.id);
  box.setAttribute("autocomplete", "off");
  let timer;
  let asked = 0;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const turn = (asked += 1);
      const url = new URL(box.dataset.suggest, location.href);
      url.searchParams.set("q", box.value);
      const answer = await fetch(url).catch(() => null);
      if (!answer?.ok || turn !== asked) return;
      const { results } = await answer.json();
      list.replaceChildren(
        ...results.map(({ value, label }) => {
          const option = document.createElement("option");
          option.value = value;
          option.label = label;
          return option;
        }),
      );
    }, WAIT_MS);
  });
}
