// The page of a run: what the run says appears as it says it, and the time passes.

import { byID, soon } from "/assets/page.js";

let events;
let address = "";

function follow() {
  const live = byID("talk")?.dataset.live ?? "";
  const path = live.split("?")[0];
  if (path !== address) {
    events?.close();
    address = path;
    events = path ? new EventSource(live) : undefined;
    events?.addEventListener("entry", soon);
    // The end of the stream is the end of the run.
    events?.addEventListener("error", soon);
  }
  tick();
}

function tick() {
  const shown = byID("elapsed");
  if (!shown) return;
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(shown.dataset.since)) / 1000));
  if (!Number.isFinite(seconds)) return;
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  shown.textContent = time;
}

setInterval(tick, 1000);
document.addEventListener("page", follow);
follow();
