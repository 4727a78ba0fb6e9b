// The page without its server: the shell and what was last seen, shares of the system, and notifications.

import { take } from "/assets/waiting.js";

const shell = ["style.css", "icons.svg", "icon.svg", "page.js", "list.js", "forms.js", "run.js", "steps.js", "offline.js", "push.js", "waiting.js", "offline.html"]
  .map((name) => `/assets/${name}`);
const limit = 60;

addEventListener("install", (event) => {
  event.waitUntil(caches.open("shell").then((cache) => cache.addAll(shell)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The newest answer; without one the last that was seen, and of an item that beside any list.
async function newest(request, name) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    const isFile = response.headers.has("content-disposition");
    if (response.ok && !response.redirected && !isFile) {
      await cache.put(request, response.clone());
      const keys = await cache.keys();
      if (name === "pages" && keys.length > limit) await cache.delete(keys[0]);
    }
    return response;
  } catch (error) {
    const any = { ignoreVary: true, ignoreSearch: /^\/(item|read)\//.test(new URL(request.url).pathname) };
    for (const exact of [{ ignoreVary: true }, any]) {
      const found = await cache.match(request, exact) ?? await caches.match(request, { ...exact, cacheName: "kept" });
      if (found) return found;
    }
    throw error;
  }
}

// Our own page instead of the browser's; for a file or data there is none.
async function away(request) {
  const isPage = request.mode === "navigate" || request.headers.get("accept")?.startsWith("*/*");
  const page = isPage && await caches.match("/assets/offline.html", { ignoreVary: true });
  return page ? new Response(page.body, { status: 503, headers: page.headers }) : Response.error();
}

// A share of the system is kept here first, and sent by the page.
async function share(request) {
  const form = await request.formData();
  const files = form.getAll("file").filter((file) => file.size);
  const text = (name) => form.get(name) || undefined;
  // Most programs share an address as a text.
  const words = text("text");
  const url = text("url") ?? (/^https?:\/\/\S+$/.test(words ?? "") ? words : undefined);
  await take({ url, text: url === words ? undefined : words, title: text("title"), files });
  return Response.redirect("/inbox", 303);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === "/share-target") event.respondWith(share(request));
  if (request.method !== "GET" || pathname.startsWith("/api/") || pathname === "/live") return;
  if (pathname.startsWith("/assets/")) event.respondWith(newest(request, "shell"));
  else if (request.mode === "navigate" || request.headers.get("accept")?.includes("*/*")) {
    event.respondWith(newest(request, "pages").catch(() => away(request)));
  }
});

// A notification, with what was sent of it: `title`, `text`, `tag`, `url` and labels of `actions`.
const tell = (note, body = note.text) => registration.showNotification(note.title, {
  body, data: note, ...(note.tag && { tag: note.tag, renotify: true }),
  actions: (note.actions ?? []).map((title, i) => ({ action: String(i), title })),
});
addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));

// An action is chosen once; the server says so if it was before.
async function choose(note, action) {
  const response = await fetch(`${note.url}/${action}`, { method: "POST" }).catch(() => null);
  if (response?.ok) return;
  if (!response || response.status >= 500) return tell(note, `Errand does not answer. Choose again. ${note.text}`);
  const { detail } = await response.json().catch(() => ({}));
  await tell({ ...note, actions: [] }, detail ? `${detail[0].toUpperCase()}${detail.slice(1)}.` : "This browser is not signed in any more.");
}
addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(action ? choose(notification.data, action) : clients.openWindow(notification.data.url));
});
