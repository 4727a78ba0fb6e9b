// Without the server: what is shared or noted waits in this browser, and is sent once.

import { attribute, byID, formToken, toast } from "/assets/page.js";
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

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/assets/worker.js", { scope: "/", type: "module" });
