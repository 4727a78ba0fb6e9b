// Without the server: what is shared or noted waits in this browser, and is sent once.

import { all, attribute, byID, formToken, parsed, toast } from "/assets/page.js";
import { take, waiting, remove } from "/assets/waiting.js";

// Sends what waits, oldest first. The server takes each key once, so a cut connection does no harm.
let sending = false;
async function flush() {
  if (sending) return;
  sending = true;
  let sent = 0;
  for (const share of await waiting()) {
    const headers = { "X-Errand-Form": formToken(), "Idempotency-Key": share.key };
    let body;
    if (share.files?.length) {
      body = new FormData();
      for (const name of ["url", "text", "title"]) if (share[name]) body.append(name, share[name]);
      for (const file of share.files) body.append("file", file, file.name);
    } else {
      headers["Content-Type"] = "application/json";
      const { url, text, title } = share;
      body = JSON.stringify(Object.fromEntries(Object.entries({ url, text, title }).filter(([, value]) => value)));
    }
    const response = await fetch("/api/v1/shares", { method: "POST", headers, body }).catch(() => null);
    if (!response || response.status >= 500 || response.status === 401 || response.status === 403) break;
    await remove(share.key);
    if (response.ok) sent += 1;
    else toast((await response.json()).detail ?? "A share was refused.");
  }
  sending = false;
  await tell();
  if (sent) toast(sent === 1 ? "1 share was sent." : `${sent} shares were sent.`);
}

async function tell() {
  const count = (await waiting()).length;
  document.body.classList.toggle("has-waiting", count > 0);
  if (count) toast(`${count} ${count === 1 ? "share waits" : "shares wait"} here until Errand answers.`);
}

// A link or a note that cannot be saved now is kept here.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const kind = attribute(form, "data-add");
  if (!["Link", "Note"].includes(kind) || !document.body.classList.contains("cut-off")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const field = form.querySelector(".in");
  await take({ [kind === "Link" ? "url" : "text"]: field.value });
  field.value = "";
  tell();
}, true);

document.addEventListener("online-again", flush);
flush();

// A list is kept offline with its items, and renewed whenever it is opened.
const shelf = "kept-lists";
const lists = () => JSON.parse(localStorage.getItem(shelf) ?? "[]");
async function keepList(path) {
  const cache = await caches.open("kept");
  const url = new URL(path, location.href);
  url.searchParams.set("rows", 500);
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) return 0;
  const html = await response.text();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  await cache.put(new URL(path, location.href), new Response(html, { headers }));
  const items = [...new Set(all("#rows .row .title", parsed(html)).map((link) => new URL(link.href, location.href).pathname))];
  for (let i = 0; i < items.length; i += 4) {
    await Promise.all(items.slice(i, i + 4).map(async (item) => {
      const page = await fetch(item).catch(() => null);
      if (!page?.ok) return;
      const text = await page.text();
      await cache.put(new URL(item, location.href), new Response(text, { headers }));
      const pictures = all("img", parsed(text)).map((image) => image.getAttribute("src")).filter((src) => src?.startsWith("/"));
      await cache.addAll(pictures).catch(() => {});
    }));
  }
  return items.length;
}
function offerKeeping() {
  const rows = byID("rows");
  const menu = all(".tools .drop .menu").at(-1);
  if (!rows?.dataset.list || !menu || !("caches" in window) || byID("keep-offline")) return;
  const path = rows.dataset.list;
  const button = Object.assign(document.createElement("button"), { id: "keep-offline", type: "button" });
  const show = (isKept) => {
    button.setAttribute("aria-pressed", isKept);
    button.innerHTML = '<svg class="i s" aria-hidden="true"><use href="/assets/icons.svg#i-offline"/></svg>';
    button.append("Keep offline");
  };
  show(lists().includes(path));
  button.addEventListener("click", async () => {
    const isKept = lists().includes(path);
    localStorage.setItem(shelf, JSON.stringify(isKept ? lists().filter((one) => one !== path) : [...lists(), path]));
    show(!isKept);
    if (isKept) return toast("It is not kept any more.");
    toast("Keeping the list and its items…");
    toast(`${await keepList(path)} items are kept offline.`);
  });
  menu.append(button);
}
document.addEventListener("page", offerKeeping);
offerKeeping();
document.addEventListener("online-again", () => lists().forEach(keepList));

// The icon of the application tells how many tasks are due.
function tellIcon() {
  const count = Number(byID("nav")?.dataset.badge ?? 0);
  (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
}
document.addEventListener("page", tellIcon);
tellIcon();

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/assets/worker.js", { scope: "/", type: "module" });
