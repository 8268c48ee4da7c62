// On wide screens a citation opens beside the conversation. Elsewhere, and when anything fails, it is an ordinary link.
const wide = matchMedia("(min-width: 64rem)");
const panel = document.getElementById("fonte");
const text = document.getElementById("fonte-texto");
const whole = document.getElementById("fonte-inteira");
let opener = null;
let wanted = "";

if (panel) {
  document.addEventListener("click", opened);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) leave();
  });
  document.getElementById("fonte-fechar").addEventListener("click", leave);
  addEventListener("popstate", (event) => (event.state?.source && wide.matches ? load(event.state.source) : hide()));
  if (history.state?.source && wide.matches) load(history.state.source);
}

function opened(event) {
  const link = event.target.closest("a[data-source]");
  if (!link || !wide.matches || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  opener = link;
  const state = { source: link.href };
  if (panel.hidden) history.pushState(state, "");
  else history.replaceState(state, "");
  load(link.href);
}

async function load(href) {
  wanted = href;
  whole.href = href;
  const address = new URL(href);
  address.searchParams.set("fragmento", "1");
  address.hash = "";
  text.textContent = document.getElementById("avisos").content.querySelector('[data-word="loading"]').textContent;
  panel.hidden = false;
  document.body.classList.add("with-source");
  panel.focus({ preventScroll: true });
  try {
    const response = await fetch(address, { redirect: "error" });
    if (!response.ok) throw new Error(response.statusText);
    const html = await response.text();
    if (wanted !== href) return;
    const template = document.createElement("template");
    template.innerHTML = html;
    text.replaceChildren(template.content);
  } catch {
    location.assign(href);
    return;
  }
  const anchor = decodeURIComponent(new URL(href).hash.slice(1));
  const place = text.querySelector("mark") || (anchor && text.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`));
  // Only the panel moves: scrollIntoView would take the page along, and the panel's own buttons out of sight.
  if (place) panel.scrollTop += place.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
}

// Through the browser's own Back, so that its button and ours do the same.
function leave() {
  if (history.state?.source) history.back();
  else hide();
}

function hide() {
  if (panel.hidden) return;
  panel.hidden = true;
  wanted = "";
  document.body.classList.remove("with-source");
  text.replaceChildren();
  // Later: going back to an address with a fragment takes the focus away once more.
  if (opener?.isConnected) setTimeout(() => opener.focus({ preventScroll: true }), 0);
}
