// Follows work in the background: replaces one part of the page by what the server says of it until it is done.
const EVERY_MS = 1500;
const AT_MOST = 1200;

async function follow(part) {
  for (let asked = 0; asked < AT_MOST; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    let answer;
    try {
      answer = await fetch(part.dataset.follow, { headers: { "X-Requested-With": "fetch" } });
    } catch {
      continue; // the network came and went: ask again
    }
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    part.replaceChildren(...page.body.childNodes);
    if (!part.querySelector(".busy")) {
      if (part.dataset.reload !== undefined) location.reload();
      return;
    }
  }
}

for (const part of document.querySelectorAll("[data-follow]")) follow(part);
