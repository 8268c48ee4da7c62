// An answer as plain text with its sources, and the page on paper.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});

async function copy(button) {
  const word = (await written(plain(button.closest("article")))) ? "copied" : "not-copied";
  const said = document.getElementById("avisos").content.querySelector(`[data-word="${word}"]`).textContent;
  document.getElementById("andamento").textContent = said;
  button.textContent = said;
}

function plain(article) {
  const line = (node) => node.textContent.replace(/\s+/g, " ").trim();
  const lines = [line(article.querySelector("h2"))];
  for (const note of article.querySelectorAll(":scope > p")) lines.push(line(note));
  for (const part of article.querySelectorAll(".claim-text, .citation")) {
    if (!part.matches(".citation")) {
      lines.push("", line(part));
      continue;
    }
    const link = part.querySelector("a");
    const facts = [...part.querySelectorAll(".facts > li")].map(line).join(" · ");
    lines.push("", `“${part.querySelector("blockquote").textContent.trim()}”`, `${line(link)} · ${facts}`, link.href);
  }
  return lines.join("\n");
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
