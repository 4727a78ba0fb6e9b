// Notifications on this device: the browser subscribes once the button is pressed, and not before.

import { all, attribute, byID, formToken, send, toast } from "/assets/page.js";

const isPossible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const subscription = async () => (await navigator.serviceWorker.ready).pushManager.getSubscription();
// What the server calls a subscription.
async function device({ endpoint }) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash)].slice(0, 8).map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function name() {
  const find = (words) => words.find((word) => navigator.userAgent.includes(word));
  const browser = find(["Edg", "Firefox", "Chrome", "Safari"])?.replace("Edg", "Edge") ?? "A browser";
  const system = find(["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"]);
  return system ? `${browser} on ${system}` : browser;
}

// Shows the button, or why there is none, and which of the devices is this one.
async function mark() {
  const box = byID("push");
  if (!box) return;
  const say = (sentence) => { box.querySelector("output").textContent = sentence; };
  if (!isPossible) return say("This browser cannot show notifications of this page.");
  if (Notification.permission === "denied") return say("This browser blocks notifications of this page; its own settings allow them.");
  say("");
  const current = await subscription();
  const id = current && await device(current);
  const row = all("[data-device]").find(({ dataset }) => dataset.device === id);
  const badge = row?.querySelector(".badge");
  if (badge) badge.hidden = false;
  box.querySelector("button").hidden = row !== undefined;
}

async function subscribe(button) {
  button.disabled = true;
  try {
    if (await Notification.requestPermission() !== "granted") return mark();
    const response = await fetch("/settings/push-key", { method: "POST", body: new URLSearchParams({ form: formToken() }) });
    if (!response.ok) throw new Error("Errand cannot encrypt notifications.");
    const { key } = await response.json();
    // An old one may have another key.
    await (await subscription())?.unsubscribe();
    const { pushManager } = await navigator.serviceWorker.ready;
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = made.toJSON();
    await send("/settings/push", { name: name(), endpoint, ...keys });
  } catch (error) {
    toast(`Notifications cannot be turned on: ${error.message}`);
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#push button");
  if (button) subscribe(button);
});
// What is removed here also ends in this browser.
document.addEventListener("submit", async ({ target }) => {
  if (attribute(target, "action") !== "/settings/push-remove" || !isPossible) return;
  const id = target.closest("[data-device]").dataset.device;
  const current = await subscription();
  if (current && await device(current) === id) await current.unsubscribe();
}, true);
document.addEventListener("page", mark);
mark();
