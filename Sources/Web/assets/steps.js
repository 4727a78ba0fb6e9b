// The editor of a definition: its fields and its text follow one another, steps are dragged, chosen by
// search and moved with keys, and names are put where one writes.

import { all, attribute, byID, parsed, toast } from "/assets/page.js";

const editor = () => byID("editor");
const state = (field) => field.type === "checkbox" ? field.checked : field.value;
const known = () => Object.fromEntries(all("#editor [id][name]").map((field) => [field.id, state(field)]));
let last;

// What is done goes one after another, as each has the text of the one before; the same is not sent
// twice at once.
let done = Promise.resolve();
const waiting = new Set();
let isBusy = false;
let isPressed = false;
for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(kind, () => { isPressed = kind === "pointerdown"; }, true);
}
function update(what = "check") {
  if (waiting.has(what)) return;
  waiting.add(what);
  done = done.then(async () => {
    waiting.delete(what);
    isBusy = true;
    await send(what);
  }).catch(reportError).then(() => { isBusy = false; });
}

// Sends the form, and shows the answer; what was written meanwhile stays.
async function send(what) {
  const form = editor();
  if (!form) return;
  const body = new URLSearchParams(new FormData(form));
  body.set("do", what);
  const before = known();
  const response = await fetch(attribute(form, "action"), { method: "POST", body }).catch(() => null);
  if (!response) return toast("Errand does not answer. Nothing was changed.");
  const next = parsed(await response.text()).getElementById("editor");
  if (!next || editor() !== form) return;
  const focused = document.activeElement;
  // Of what is no text, such as a box, the selection is null.
  const range = focused?.selectionStart != null ? [focused.selectionStart, focused.selectionEnd] : null;
  const open = new Set(all("details[open]", form).map((details) => details.closest("[data-path]")?.dataset.path));
  const pane = form.closest(".pane");
  const tops = [pane.scrollTop, scrollY, byID("text").scrollTop];
  for (const field of all("[id][name]", next)) {
    const mine = byID(field.id);
    // A text that is being written is newer than the answer.
    if (!mine || state(mine) === before[field.id]) continue;
    if (field.type === "checkbox") field.checked = mine.checked;
    else field.value = mine.value;
  }
  for (const details of all("details", next)) {
    if (open.has(details.closest("[data-path]")?.dataset.path)) details.open = true;
  }
  // A button that is being pressed stays until it is let go.
  while (isPressed) await new Promise((go) => setTimeout(go, 20));
  form.replaceWith(document.adoptNode(next));
  [pane.scrollTop] = tops;
  scrollTo(0, tops[1]);
  byID("text").scrollTop = tops[2];
  const wanted = next.querySelector("[autofocus]");
  const again = wanted ?? (focused?.id ? byID(focused.id) : null);
  again?.focus({ preventScroll: !wanted });
  if (wanted) wanted.scrollIntoView({ block: "nearest" });
  else if (range && again?.setSelectionRange && again.type !== "button") again.setSelectionRange(...range);
}

document.addEventListener("submit", (event) => {
  const what = event.submitter?.value ?? "check";
  const isLast = ["save", "try"].includes(what);
  if (event.target.id !== "editor" || isLast && !waiting.size && !isBusy) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isLast) return void done.then(() => document.querySelector(`#editor [value=${what}]`)?.click());
  const { name, step } = event.submitter?.dataset ?? {};
  const card = event.submitter?.closest("[data-path]");
  if (name && last && last !== card && card.contains(last) && last.setRangeText && last.isConnected) {
    // The name goes to where one writes, and the step gets it.
    last.setRangeText(`{{ ${name} }}`, last.selectionStart, last.selectionEnd, "end");
    last.focus();
    update(step ? `name ${step}` : "check");
  } else update(what);
}, true);

let typing;
document.addEventListener("input", ({ target }) => {
  if (target.id === "find-action") {
    const words = target.value.toLowerCase().split(/\s+/);
    for (const row of all(".chooser li")) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    }
  } else if (target.form?.id === "editor" && target.id === "text") {
    clearTimeout(typing);
    typing = setTimeout(update, 400, "check");
  }
});
document.addEventListener("change", ({ target }) => {
  if (target.form?.id === "editor" && target.name?.startsWith("f:")) update();
});
document.addEventListener("focusin", ({ target }) => {
  const isText = target.matches("textarea, input:not([type=checkbox])");
  if (target.closest(".step") && isText) last = target;
});

// A step that was dragged, or moved by the arrow keys on its handle.
document.addEventListener("moved", ({ detail: row }) => {
  const from = Number(row.dataset.path.split(".").at(-1));
  const by = [...row.parentElement.children].indexOf(row) - from;
  if (by) update(`move ${row.dataset.path} ${by}`);
});
document.addEventListener("keydown", (event) => {
  const step = event.target.closest?.(".step");
  if (step && event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
    event.preventDefault();
    byID(`${event.key === "ArrowUp" ? "up" : "down"}:${step.dataset.path}`)?.click();
  } else if (event.target.id === "find-action" && event.key === "Enter") {
    event.preventDefault();
    document.querySelector(".chooser li:not([hidden]) button")?.click();
  } else if (event.target.closest?.(".chooser") && event.key === "Escape") {
    update();
  } else if (event.target.id === "question" && event.key === "Enter") {
    event.preventDefault();
    update("question");
  }
});
