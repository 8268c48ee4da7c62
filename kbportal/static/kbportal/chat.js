// Asking without leaving the page: the same form, streamed. Without this script the form is sent as any other.
const LOOK_AGAIN = 1500;
const LOOKS = 140; // longer than the server gives an answer
const MISSES = 8; // a process that was replaced is back by then
const NEAR = 0.9;
const LONG = 200; // characters of a question that is shown as a text
const STOP_AFTER = 1000; // not at once: the second half of a double click would land on it

const composer = document.getElementById("perguntar");
const box = document.getElementById("pergunta");
const answers = document.getElementById("respostas");
const said = document.getElementById("andamento");
const refusal = document.getElementById("recusa");
const send = document.getElementById("enviar");
const stop = document.getElementById("parar");
const count = document.getElementById("contagem");
const toAnswer = document.getElementById("ir-resposta");
let running = null;
let failed = false;
let stopShown = 0;

document.documentElement.classList.add("js");
document.addEventListener("submit", once);
if (composer) start();

function start() {
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-ask]")) return;
    event.preventDefault();
    ask(event.target);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    composer.requestSubmit();
  });
  box.addEventListener("input", () => {
    if (failed) renew(); // another question: it must not lead to the answer of the one that was lost
    measure();
  });
  stop.addEventListener("click", () => running?.abort("stopped"));
  document.addEventListener("click", suggest);
  measure();
}

// A form that acts is sent once, however often its button is pressed.
function once(event) {
  const form = event.target;
  if (!form.matches("form[data-once]")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
}

function suggest(event) {
  const link = event.target.closest("a[data-suggestion]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  box.value = new URL(link.href).searchParams.get("pergunta");
  measure();
  box.focus();
}

async function ask(form) {
  if (running) return;
  const asked = new FormData(form);
  const question = asked.get("question").trim();
  refuse("");
  if (form === composer && !measure()) return refuse(count.textContent);
  if (!question) return box.focus();
  const pending = waiting(question);
  busy(new AbortController());
  if (form === composer) clear();
  const lost = (text) => giveBack(form, question, pending, text);
  try {
    const headers = { Accept: "text/event-stream" };
    const options = { method: "POST", body: asked, headers, redirect: "manual", signal: running.signal };
    const response = await fetch(form.action, options);
    if (response.type === "opaqueredirect" || response.status === 403) return openAgain(question);
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      if (problem.code !== "still_asked") return lost(problem.detail || word("nothing"));
      await resume(asked.get("token"), pending, lost, "running");
    } else if (!(await follow(response, pending, form, lost))) {
      await resume(asked.get("token"), pending, lost, "broken");
    }
  } catch (error) {
    await resume(asked.get("token"), pending, lost, error === "stopped" ? "stopped" : "broken");
  } finally {
    busy(null);
  }
}

// Reads the stream; whether it came to its end.
async function follow(response, pending, form, lost) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return false;
    const parts = (held + value).split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const [, name, data] = part.match(/^event: (\w+)\ndata: (.*)$/s);
      if (heard(name, JSON.parse(data), pending, form, lost)) return true;
    }
  }
}

function heard(name, data, pending, form, lost) {
  if (name === "status") tell(pending, data.text);
  else if (name === "claim") pending.querySelector(".claims").append(fragment(data.html));
  else if (name === "done") finished(data, pending, form);
  else lost(data.detail);
  return name === "done" || name === "error";
}

function finished(data, pending, form) {
  failed = false;
  composer.elements.token.value = data.token;
  const moved = new URL(data.url, location.href).searchParams.get("em") !== new URL(location.href).searchParams.get("em");
  if (!data.html || moved) return go(data.url);
  const turn = fragment(data.html);
  const article = turn.querySelector("article");
  pending.replaceWith(turn);
  if (form !== composer) form.elements.token.value = data.token;
  history.replaceState(null, "", data.url);
  document.title = data.title;
  composer.elements.conversation.value = data.conversation;
  document.getElementById("cabeca").replaceChildren(fragment(data.head));
  document.getElementById("lista").replaceChildren(fragment(data.listed));
  document.getElementById("sugestoes-lista")?.remove();
  said.textContent = data.text;
  toAnswer.href = `#${article.id}`;
  toAnswer.parentElement.hidden = false;
  show(article);
}

// After a stream that broke: only the server knows whether there is an answer.
async function resume(token, pending, lost, why) {
  tell(pending, word(why));
  let missed = 0;
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((done) => setTimeout(done, LOOK_AGAIN));
    let response;
    try {
      response = await fetch(`/perguntas/${token}/`, { headers: { Accept: "application/json" }, redirect: "manual" });
    } catch {
      missed += 1;
      if (missed >= MISSES || !navigator.onLine) return lost(word("unreachable"));
      continue;
    }
    if (response.type === "opaqueredirect") return location.reload();
    if (response.status >= 500) continue;
    const held = response.ok ? await response.json() : { state: "failed" };
    if (held.state === "done") return go(held.url);
    if (held.state === "failed") return lost(word("nothing"));
    tell(pending, word("running"));
  }
  return lost(word("unreachable"));
}

// Signed out meanwhile, or in again elsewhere: the page comes back, after the door, with the question in its box.
function openAgain(question) {
  const address = new URL(location.href);
  address.searchParams.set("pergunta", question);
  go(address.href);
}

function go(url) {
  history.replaceState(null, "", url);
  location.reload();
}

function waiting(question) {
  const article = document.getElementById("pendente").content.cloneNode(true).querySelector("article");
  const asked = article.querySelector("h2");
  asked.textContent = question;
  asked.classList.toggle("long", question.length > LONG);
  answers.append(article);
  show(article);
  return article;
}

function giveBack(form, question, pending, text) {
  failed = true;
  pending.remove();
  said.textContent = "";
  if (form === composer && !box.value) box.value = question;
  measure();
  refuse(text);
  box.focus();
}

function tell(pending, text) {
  pending.querySelector("[data-step]").textContent = text;
  said.textContent = text;
}

function refuse(text) {
  const line = document.createElement("p");
  line.textContent = text;
  refusal.replaceChildren(line);
  refusal.hidden = !text;
}

function busy(controller) {
  running = controller;
  send.setAttribute("aria-disabled", String(Boolean(controller)));
  clearTimeout(stopShown);
  stop.hidden = true;
  if (controller) stopShown = setTimeout(() => (stop.hidden = false), STOP_AFTER);
}

function clear() {
  box.value = "";
  measure();
}

// Counts as the server does, for which a line break is two characters; whether the question fits.
function measure() {
  const most = Number(composer.dataset.longest);
  const length = [...box.value.trim().replace(/\n/g, "\r\n")].length;
  const fits = length <= most;
  count.hidden = length < most * NEAR;
  count.textContent = word(fits ? "long" : "too-long").replace("{length}", length).replace("{most}", most);
  count.classList.toggle("field-error", !fits);
  box.setAttribute("aria-invalid", String(!fits));
  return fits;
}

function renew() {
  failed = false;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  composer.elements.token.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show(article) {
  article.scrollIntoView({ block: "start" });
}

function word(name) {
  return document.getElementById("avisos").content.querySelector(`[data-word="${name}"]`).textContent;
}

// HTML that the server rendered and escaped, never text of a person.
function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
