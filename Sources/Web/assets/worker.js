// The page without its server: the shell and what was last seen, and shares of the system.

import { take } from "/assets/waiting.js";

const shell = ["style.css", "icons.svg", "icon.svg", "page.js", "list.js", "forms.js", "run.js", "offline.js", "waiting.js"]
  .map((name) => `/assets/${name}`);
const limit = 60;

addEventListener("install", (event) => {
  event.waitUntil(caches.open("shell").then((cache) => cache.addAll(shell)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The newest answer; without one the last that was seen.
async function newest(request, name) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) {
      await cache.put(request, response.clone());
      const keys = await cache.keys();
      if (name === "pages" && keys.length > limit) await cache.delete(keys[0]);
    }
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
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
    event.respondWith(newest(request, "pages").catch(() => Response.error()));
  }
});
