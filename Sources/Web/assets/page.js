// What scripts add to a page that works without them: no reloads, what others change, keys.

const wide = matchMedia("(min-width: 768px)");
let loading = 0;

export const byID = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
export const formToken = () => document.body.dataset.form ?? "";

// Tells the modules that there is another page, or that parts of it were replaced.
function tell() { document.dispatchEvent(new Event("page")); }

// The address without what a page says only once.
function plain(address) {
  const url = new URL(address, location.href);
  for (const name of ["done", "did", "n"]) url.searchParams.delete(name);
  return url;
}

// Shows a page in place of the current one, where each pane was scrolled to.
function show(html, url, kind) {
  const page = parsed(html);
  const panes = [".side", ".list"];
  const tops = panes.map((pane) => document.querySelector(pane)?.scrollTop ?? 0);
  const focus = document.activeElement?.id;
  const isSamePlace = plain(url).pathname === location.pathname;
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  panes.forEach((pane, i) => document.querySelector(pane)?.scrollTo(0, tops[i]));
  if (kind === "push") history.pushState(null, "", plain(url));
  if (kind === "replace") history.replaceState(null, "", plain(url));
  if (focus && isSamePlace) byID(focus)?.focus();
  tell();
}

// Loads a page; a later request wins. Returns whether it was shown.
export async function load(url, kind, options) {
  const number = ++loading;
  try {
    const response = await fetch(url, options);
    const html = await response.text();
    if (number !== loading) return false;
    show(html, response.url, kind);
    return true;
  } catch {
    // The server does not answer: let the browser say so, but keep what was written.
    if (!options && kind !== "quiet") location.assign(url);
    else if (options) toast("Errand does not answer. Nothing was changed.");
    return false;
  }
}

// Sends a form of the page; `fields` is an object.
export function send(path, fields, kind = "replace") {
  const body = new URLSearchParams({ form: formToken(), ...fields });
  return load(path, kind, { method: "POST", body });
}

export function toast(sentence) {
  const box = document.createElement("div");
  box.className = "toast";
  box.setAttribute("role", "status");
  box.append(Object.assign(document.createElement("span"), { textContent: sentence }));
  byID("toasts")?.replaceChildren(box);
  fade();
}

// Toasts stay for 8 seconds, longer under the mouse.
let fading;
function fade() {
  clearTimeout(fading);
  fading = setTimeout(() => {
    const box = byID("toasts");
    if (box?.matches(":hover, :focus-within")) fade();
    else box?.replaceChildren();
  }, 8000);
}
document.addEventListener("page", fade);

const isOurs = (link) => link && link.origin === location.origin && !link.target
  && !link.getAttribute("href").startsWith("#") && !link.pathname.startsWith("/assets/");

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey
    || !isOurs(link)) return;
  event.preventDefault();
  load(link.href, "push");
});

// Menus close on a click elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of all("details.drop[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const form = event.target;
  const data = new URLSearchParams(new FormData(form, event.submitter));
  event.preventDefault();
  if (form.method === "post") load(form.action, "replace", { method: "POST", body: data });
  else load(`${form.action}?${data}`, "push");
});

addEventListener("popstate", () => load(location.href));

// Copying: a signed link, or a text that is shown once.
async function copy(text) {
  await navigator.clipboard.writeText(text);
  toast("Copied.");
}
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("[data-copy]") || !navigator.clipboard) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const fields = Object.fromEntries(new FormData(event.target));
  const name = event.target.action.split("/").pop();
  delete fields.form;
  const response = await fetch(`/api/v1/actions/${name}`, {
    method: "POST", body: JSON.stringify(fields),
    headers: { "Content-Type": "application/json", "X-Errand-Form": formToken() },
  }).catch(() => null);
  const answer = await response?.json();
  if (typeof answer?.result === "string") await copy(answer.result).catch(() => toast(answer.result));
  else toast(answer?.detail ?? "Errand does not answer.");
}, true);
document.addEventListener("click", (event) => {
  const text = event.target.closest("[data-copy-text]")?.dataset.copyText;
  if (text) copy(text);
});

// Others change the same library: the parts that differ are replaced, but nothing that somebody
// writes or chooses here.
const parts = ["nav", "rows", "total", "pill", "now", "detail"];
const isTouched = (field) => field.type === "checkbox" || field.type === "radio"
  ? field.checked !== field.defaultChecked
  : field.tagName === "SELECT" ? field === document.activeElement
  : field.type !== "hidden" && field.type !== "file" && field.value !== field.defaultValue;
const holdsWork = (part) => all("input, textarea, select", part).some(isTouched)
  || part.querySelector("details.drop[open]") || part.contains(document.activeElement?.closest("input, textarea, select") ?? null);

let waiting;
async function refresh() {
  const url = plain(location.href);
  const count = all("#rows .row").length;
  if (count > 50 && !url.searchParams.has("after")) url.searchParams.set("rows", Math.min(count, 500));
  const number = loading;
  const response = await fetch(url).catch(() => null);
  const html = await response?.text();
  // A page that was asked for meanwhile shows the change, too.
  if (!html || !response.ok || number !== loading) return;
  const page = parsed(html);
  document.body.dataset.form = page.body.dataset.form ?? "";
  for (const id of parts) {
    const [old, now] = [byID(id), page.getElementById(id)];
    if (!old || !now || old.isEqualNode(now) || holdsWork(old)) continue;
    const open = all("details", old).map((details) => details.open);
    const focus = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const next = document.adoptNode(now);
    old.replaceWith(next);
    all("details", next).forEach((details, i) => { details.open ||= open[i]; });
    if (focus) next.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus();
  }
  tell();
}
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 100);
}
export function listen() {
  const events = new EventSource("/live");
  events.addEventListener("change", changed);
  events.addEventListener("open", () => {
    if (document.body.classList.contains("cut-off")) changed();
    document.body.classList.remove("cut-off");
    document.dispatchEvent(new Event("online-again"));
  });
  events.addEventListener("error", () => document.body.classList.add("cut-off"));
}

// Search as one types: only the rows change, so the words stay under the cursor.
let typed;
document.addEventListener("input", (event) => {
  if (event.target.id !== "q") return;
  clearTimeout(typed);
  typed = setTimeout(async () => {
    const form = event.target.form;
    const number = ++loading;
    const data = [...new FormData(form)].filter(([, value]) => value !== "");
    const url = `${form.action}?${new URLSearchParams(data)}`;
    const response = await fetch(url).catch(() => null);
    const html = await response?.text();
    if (!html || number !== loading) return;
    const rows = parsed(html).getElementById("rows");
    if (rows) byID("rows")?.replaceWith(document.adoptNode(rows));
    history.replaceState(null, "", url);
    tell();
  }, 80);
});

const places = {
  r: "/", l: "/list/links", f: "/list/favourites", t: "/list/Task", n: "/list/Note", i: "/inbox",
  g: "/gallery", a: "/activity", s: "/settings",
};
const actions = { e: "archive", "#": "delete", f: "favourite", r: "read" };
let isGoing = false;

const titles = () => all(".row .title, .todo .title");

function move(step) {
  const rows = titles();
  const open = rows.findIndex((title) => title.hasAttribute("aria-current"));
  const from = rows.indexOf(document.activeElement);
  const next = rows[(from < 0 ? open : from) + step];
  next?.focus();
  if (next && open >= 0 && wide.matches) load(next.href, "replace").then(() => {
    document.querySelector(".row .title[aria-current]")?.focus();
  });
}

// The path of the item that keys act on: the row with the focus, or the open item.
function current() {
  const row = document.activeElement?.closest("[data-item]") ?? document.querySelector(".row.on");
  return row?.dataset.item;
}

function act(action) {
  const item = current();
  const isOpen = !document.activeElement?.closest("[data-item]");
  if (!item) return;
  const back = isOpen && action !== "delete" ? item : location.pathname + location.search;
  const place = titles().indexOf(document.activeElement);
  send(`${item}/${action}`, { back: isOpen && action === "delete" ? document.querySelector(".detail .head a")?.getAttribute("href") ?? "/" : back })
    .then(() => { if (place >= 0) (titles()[place] ?? titles().at(-1))?.focus(); });
}

addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const press = (selector) => document.querySelector(selector)?.click();
  if (isGoing && places[event.key]) load(places[event.key], "push");
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "/") {
    (byID("q") ?? byID("ask"))?.focus();
    event.preventDefault();
  } else if (event.key === "z") press(".toast button");
  else if (event.key === "s") press(".detail form[data-copy] button");
  else if (event.key === "x") document.dispatchEvent(new CustomEvent("choose"));
  else if (event.key === "Escape") {
    if (byID("bulk")) press(".tools a.small");
    else press(".detail .head a");
  } else if (actions[event.key]) act(actions[event.key]);
  isGoing = event.key === "g" && !isGoing;
});

fade();
listen();
import("/assets/list.js");
import("/assets/forms.js");
import("/assets/offline.js");
