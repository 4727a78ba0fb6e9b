// What scripts add to a page that works without them: no reloads, what others change, keys.

const wide = matchMedia("(min-width: 768px)");

export const byID = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const parsed = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  // A parser without scripts takes what is for them for a part of the page.
  for (const part of all("noscript", page)) part.remove();
  return page;
};
export const formToken = () => document.body.dataset.form ?? "";
// Of a form, only these are sure to be its own: a field named `action` or `id` hides the property.
export const attribute = (form, name) => Element.prototype.getAttribute.call(form, name);
export const matches = (form, selector) => Element.prototype.matches.call(form, selector);

// Tells the modules that there is another page, or that parts of it were replaced.
function tell() { document.dispatchEvent(new Event("page")); }

// The address without what a page says only once.
function plain(address) {
  const url = new URL(address, location.href);
  for (const name of ["done", "did", "n"]) url.searchParams.delete(name);
  return url;
}

// The address shown, without its fragment.
const address = () => location.pathname + location.search;
let shown = address();
let listTop = 0;

// The place on the page: its list, the rows that were loaded, and how far all is scrolled.
const place = () => ({
  list: byID("rows")?.dataset.list, rows: all("#rows .row").length,
  pane: document.querySelector(".pane.list")?.scrollTop ?? 0, top: scrollY,
});
// The address with the list and the rows of a place; the server gives at most 500 rows.
function at({ list, rows }, address) {
  const url = plain(address);
  if (list && url.pathname.startsWith("/item/")) url.searchParams.set("list", list);
  if (rows > 50) url.searchParams.set("rows", Math.min(rows, 500));
  return url;
}
// The question of a run has the focus as it opens.
function focusQuestion() {
  const field = document.querySelector("#asked [autofocus]");
  field?.focus();
  field?.scrollIntoView({ block: "nearest" });
}
const isItem = (within) => within.querySelector("#detail[data-item]") !== null;

// Moves the list with all its rows from the page to the next one, if only the item beside it, or
// something of its items, changes. Returns whether it did.
function keep(page, isChange) {
  const [old, now] = [document, page].map((one) => one.getElementById("rows"));
  if (!old?.dataset.list || old.dataset.list !== now?.dataset.list
    || !isItem(document) && !isItem(page) && !(isChange && all(".row", old).length > 50)) return false;
  if (!isItem(document)) listTop = scrollY;
  const open = page.querySelector("#detail[data-item]")?.dataset.item;
  for (const row of all(".row, .entry, .todo", old)) {
    row.classList.toggle("on", row.dataset.item === open);
    const title = row.querySelector(".title");
    if (row.dataset.item === open) title.setAttribute("aria-current", "true");
    else title.removeAttribute("aria-current");
  }
  const pane = now.closest(".pane");
  pane.replaceChildren(...document.adoptNode(old.closest(".pane")).childNodes);
  return true;
}

// Shows a page in place of the current one. A list that stays has its rows and its place still; one
// that is come back to is scrolled to where it was.
function show(html, url, kind, isChange) {
  const page = parsed(html);
  const [left, focused] = [place(), document.activeElement];
  const sides = all(".side, #nav").map((side) => side.scrollTop);
  const isSamePlace = plain(url).pathname === location.pathname;
  const { hash } = location;
  // On the way back to another page, this address is not that of the place.
  if (kind === "push" && address() === shown) history.replaceState(left, "");
  const isKept = kind !== "anew" && keep(page, isChange);
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  if (kind === "push") history.pushState(null, "", plain(url));
  if (kind === "replace") history.replaceState(null, "", plain(url));
  shown = address();
  // A sidebar that was opened meanwhile stays open.
  if (hash && isSamePlace && kind !== "push") location.replace(hash);
  const isNew = kind === "push" || kind === "replace";
  const spot = isNew ? isSamePlace ? left : {} : history.state ?? {};
  all(".side, #nav").forEach((side, i) => side.scrollTo(0, sides[i] ?? 0));
  document.querySelector(".pane.list")?.scrollTo(0, isKept ? left.pane : spot.pane ?? 0);
  const isBack = isKept && !isItem(document);
  scrollTo(0, isBack ? listTop : spot.top ?? 0);
  if (!isKept) document.querySelector(".row.on")?.scrollIntoView({ block: "nearest" });
  if (isKept && focused?.isConnected) focused.focus({ preventScroll: true });
  else if (focused?.id && isSamePlace) byID(focused.id)?.focus({ preventScroll: true });
  if (isNew) focusQuestion();
  if (isNew) history.replaceState(place(), "");
  tell();
  if (isKept && isChange) refresh();
}

// A press that is not over: what is under it stays, or the tap would be lost. Two seconds at most,
// as some browsers do not tell the end of each.
let press;
let release = () => {};
addEventListener("pointerdown", ({ button }) => {
  if (button) return;
  press = new Promise((done) => { release = done; });
  setTimeout(release, 2000);
}, true);
// The click comes after the end of a touch.
for (const [name, delay] of [["pointerup", 100], ["pointercancel", 0], ["click", 0]]) {
  addEventListener(name, () => setTimeout(release, delay), true);
}
async function released() {
  for (let seen; seen !== press;) await (seen = press);
}

// Requests for what is shown, in the order in which they begin. An answer is shown only if no
// request has begun since, and the address is the one at which it began.
let requests = 0;
let pending = 0;
async function ask(url, options) {
  const number = pending = ++requests;
  const from = address();
  const response = await fetch(url, options).catch(() => null);
  const html = await response?.text().catch(() => null);
  await released();
  if (pending === number) pending = 0;
  return { response, html, isNewest: number === requests && from === address() };
}

// Loads a page; a later request wins, and one that is sent already is not sent twice. Returns
// whether it was shown.
const sent = new Set();
export async function load(url, kind, options) {
  const key = options && `${url}?${options.body}`;
  if (sent.has(key)) return false;
  if (options) sent.add(key);
  clearTimeout(typed);
  const { response, html, isNewest } = await ask(url, options);
  sent.delete(key);
  if (html && isNewest) show(html, response.url, kind, options !== undefined);
  // The server does not answer: let the browser say so, but keep what was written.
  else if (!html && options) toast("Errand does not answer. Nothing was changed.");
  else if (!html && isNewest) location.assign(url);
  return Boolean(html && isNewest);
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
  // An item opens beside the rows that are there.
  const { list } = place();
  load(link.closest("#rows") && list ? at({ list }, link.href) : link.href, "push");
});

// Menus close on a click elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of all("details.drop[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  // What has a target, such as a file to keep, is the browser's.
  if (event.defaultPrevented || attribute(form, "target")) return;
  const fields = new FormData(form, event.submitter);
  // Files only travel in the form in which the browser would send them.
  const data = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
  const action = attribute(form, "action");
  event.preventDefault();
  const [large] = [...fields.values()].filter((value) => value.size > 1 << 20);
  if (large) toast(`Sending ${large.name}…`);
  if (attribute(form, "method") !== "post") load(`${action}?${data}`, "push");
  else load(action, "replace", { method: "POST", body: data }).then((isShown) => {
    // What was sent stays in a list that stays.
    if (isShown && form.isConnected) HTMLFormElement.prototype.reset.call(form);
  });
});

// A choice that is all there is to a form sends it.
document.addEventListener("change", ({ target }) => {
  if (target.closest("[data-send]") && target.value) HTMLFormElement.prototype.requestSubmit.call(target.form);
});

// Of a fragment, such as that of the sidebar, the browser takes care.
addEventListener("popstate", ({ state }) => {
  if (address() !== shown) load(at(state ?? {}, location.href));
});

// Copying: a signed link, or a text that is shown once.
async function copy(text) {
  await navigator.clipboard.writeText(text);
  toast("Copied.");
}
document.addEventListener("submit", async (event) => {
  if (!matches(event.target, "[data-copy]") || !navigator.clipboard) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const fields = Object.fromEntries(new FormData(event.target));
  const name = attribute(event.target, "action").split("/").pop();
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
  const button = event.target.closest("[data-copy-text], [data-share]");
  if (!button) return;
  const { copyText, share, title } = button.dataset;
  // Where there is no share sheet, the address is copied; closing the sheet is no mistake.
  if (share && navigator.share) navigator.share({ url: share, title }).catch(() => {});
  else copy(copyText ?? share);
  button.closest("details")?.removeAttribute("open");
});

// Others change the same library: the parts that differ are replaced, but nothing that somebody
// writes or chooses here.
const parts = [
  "nav", "rows", "total", "pill", "now", "beside", "claim", "detail", "pad-form", "said", "asked", "runbar",
];
const isTouched = (field) => field.type === "checkbox" || field.type === "radio"
  ? field.checked !== field.defaultChecked
  : field.tagName === "SELECT" ? field === document.activeElement
  : field.type !== "hidden" && field.type !== "file" && field.value !== field.defaultValue;
const holdsWork = (part) => all("input, textarea, select", part).some(isTouched)
  || part.querySelector("details.drop[open]") || part.contains(document.activeElement?.closest("input, textarea, select") ?? null);

// What an element is called, to find the one that replaces it.
const called = (element) => element.getAttribute("href") ?? element.getAttribute("aria-label") ?? element.textContent;

// Whether a list has the same rows, however they were loaded.
function hasSameRows(old, now) {
  const [mine, theirs] = [old, now].map((part) => all(".row, .more a", part));
  return mine.length > 0 && mine.length === theirs.length
    && mine.every((row, i) => row.isEqualNode(theirs[i]));
}

let waiting;
async function refresh() {
  // A page that is on its way may be older than the change.
  if (pending) return changed();
  const here = place();
  const { response, html, isNewest } = await ask(at(here, location.href));
  // Rows that came meanwhile stay.
  if (!isNewest || place().rows !== here.rows) return changed();
  // The answer to a form has no page of its own.
  if (!html || !response.ok || response.redirected) return;
  const page = parsed(html);
  document.body.dataset.form = page.body.dataset.form ?? "";
  for (const id of parts) {
    const [old, now] = [byID(id), page.getElementById(id)];
    if (!old || !now || old.isEqualNode(now) || hasSameRows(old, now) || holdsWork(old)) continue;
    if (id === "rows" && (here.rows > 500 || old.querySelector(".gap"))) {
      renew(old, now);
      continue;
    }
    const open = all("details", old).map((details) => details.open);
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const next = document.adoptNode(now);
    const top = old.scrollTop;
    old.replaceWith(next);
    next.scrollTop = top;
    all("details", next).forEach((details, i) => { details.open ||= open[i]; });
    if (focus) all(focus.tagName, next).find((one) => called(one) === called(focus))?.focus();
    if (id === "asked" && (document.activeElement ?? document.body) === document.body) focusQuestion();
  }
  const [talk, next] = [byID("talk"), page.getElementById("talk")];
  if (talk && next && talk.dataset.live !== next.dataset.live) {
    if (next.dataset.live) talk.dataset.live = next.dataset.live;
    else {
      delete talk.dataset.live;
      byID("elapsed")?.remove();
    }
  }
  tell();
}
// Of a list too long to be asked for at once, only what the answer has is renewed.
function renew(old, now) {
  const rows = new Map(all(".row", now).map((row) => [row.dataset.item, row]));
  for (const row of all(".row", old)) {
    const next = rows.get(row.dataset.item);
    if (next && !row.isEqualNode(next)) row.replaceWith(document.adoptNode(next));
  }
}
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 100);
}
// Shows what has changed within a moment, also if changes never pause.
let isSoon = false;
export function soon() {
  if (isSoon) return;
  isSoon = true;
  setTimeout(async () => {
    await refresh();
    isSoon = false;
  }, 150);
}
export function listen() {
  const events = new EventSource("/live");
  events.addEventListener("change", changed);
  events.addEventListener("open", () => {
    // Others may have changed something before.
    changed();
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
    const data = [...new FormData(form)].filter(([, value]) => value !== "");
    const url = `${attribute(form, "action")}?${new URLSearchParams(data)}`;
    const { html, isNewest } = await ask(url);
    if (!html || !isNewest) return;
    const page = parsed(html);
    for (const id of ["rows", "total"]) {
      const part = page.getElementById(id);
      if (part) byID(id)?.replaceWith(document.adoptNode(part));
    }
    history.replaceState(null, "", url);
    shown = address();
    tell();
  }, 80);
});

const places = {
  r: "/", l: "/list/links", f: "/list/favourites", t: "/list/Task", n: "/list/Note", i: "/inbox",
  c: "/week", g: "/gallery", a: "/activity", s: "/settings",
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
  if (next && isItem(document) && wide.matches) load(at({ list: place().list }, next.href), "replace");
}

// Acts on the open item, else on the row with the focus.
function act(action) {
  const open = byID("detail")?.dataset.item;
  if (open) return document.querySelector(`.detail .head [action^="${open}/${action}"] button`)?.click();
  const item = document.activeElement?.closest("[data-item]")?.dataset.item;
  if (!item) return;
  const row = titles().indexOf(document.activeElement);
  send(`${item}/${action}`, { back: address() })
    .then((isShown) => { if (isShown && row >= 0) (titles()[row] ?? titles().at(-1))?.focus(); });
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
    const menu = document.querySelector("details.drop[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (byID("bulk")) press(".tools a.small");
    else press(".detail .head a");
  } else if (actions[event.key]) act(actions[event.key]);
  else press(`.list [aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  isGoing = event.key === "g" && !isGoing;
});

// A page that is loaded anew, or come back to from elsewhere, has the rows and the place it had.
if (history.state?.rows > 50) load(at(history.state, location.href), "anew");
else document.querySelector(".row.on")?.scrollIntoView({ block: "nearest" });
fade();
listen();
import("/assets/list.js");
import("/assets/forms.js");
import("/assets/offline.js");
import("/assets/push.js");
import("/assets/run.js");
import("/assets/steps.js");
