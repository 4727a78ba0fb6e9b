// What scripts add to a page that works without them: no reloads, search as one types, keys.

const wide = matchMedia("(min-width: 768px)");
let loading = 0;

// Shows a page in place of the current one, where each pane was scrolled to.
function show(html, url, kind) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const panes = [".side", ".list"];
  const tops = panes.map((pane) => document.querySelector(pane)?.scrollTop ?? 0);
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  if (kind !== "list") panes.forEach((pane, i) => document.querySelector(pane)?.scrollTo(0, tops[i]));
  if (kind === "push") history.pushState(null, "", url);
  if (kind === "replace") history.replaceState(null, "", url);
}

// Loads a page; a later request wins.
async function load(url, kind, options) {
  const number = ++loading;
  try {
    const response = await fetch(url, options);
    const html = await response.text();
    if (number !== loading) return false;
    show(html, response.url, kind);
    return true;
  } catch {
    // The server does not answer: let the browser say so.
    if (!options) location.assign(url);
    return false;
  }
}

function isOurs(link) {
  return link && link.origin === location.origin && !link.target && !link.hash
    && !link.pathname.startsWith("/assets/");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey
    || !isOurs(link)) return;
  event.preventDefault();
  load(link.href, "push");
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const data = new URLSearchParams(new FormData(form, event.submitter));
  event.preventDefault();
  if (form.method === "post") load(form.action, "replace", { method: "POST", body: data });
  else load(`${form.action}?${data}`, "push");
});

addEventListener("popstate", () => load(location.href));

// What was changed elsewhere is seen on coming back.
document.addEventListener("visibilitychange", () => {
  const isIdle = !document.activeElement?.matches("input, textarea, select");
  if (document.visibilityState === "visible" && isIdle) load(location.href, "replace");
});

// Search as one types: only the rows change, so the words stay under the cursor.
let typed;
document.addEventListener("input", (event) => {
  if (event.target.id !== "q") return;
  clearTimeout(typed);
  typed = setTimeout(async () => {
    const form = event.target.form;
    const number = ++loading;
    const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const response = await fetch(url).catch(() => null);
    const html = await response?.text();
    if (!html || number !== loading) return;
    const page = new DOMParser().parseFromString(html, "text/html");
    const rows = page.getElementById("rows");
    if (rows) document.getElementById("rows")?.replaceWith(document.adoptNode(rows));
    history.replaceState(null, "", url);
  }, 80);
});

const places = { r: "/", l: "/list/links", t: "/list/Task", n: "/list/Note", g: "/gallery", a: "/activity" };
const buttons = { e: "archive", "#": "delete", f: "favourite", r: "read" };
let isGoing = false;

function move(step) {
  const titles = [...document.querySelectorAll(".row .title")];
  const open = titles.findIndex((title) => title.hasAttribute("aria-current"));
  const from = titles.indexOf(document.activeElement);
  const next = titles[(from < 0 ? open : from) + step];
  next?.focus();
  if (next && open >= 0 && wide.matches) load(next.href, "replace").then(() => {
    document.querySelector(".row .title[aria-current]")?.focus();
  });
}

addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const press = (selector) => document.querySelector(selector)?.click();
  if (isGoing && places[event.key]) load(places[event.key], "push");
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "/") {
    (document.getElementById("q") ?? document.getElementById("ask"))?.focus();
    event.preventDefault();
  } else if (event.key === "z") press(".toast button");
  else if (event.key === "Escape") press(".detail .head a");
  else if (buttons[event.key]) press(`.detail form[action$="/${buttons[event.key]}"] button`);
  isGoing = event.key === "g" && !isGoing;
});
