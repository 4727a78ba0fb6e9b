// Forms: tags as one types, a task as it is understood, the checker beside a definition, and the
// scratchpad.

import { all, attribute, byID, formToken } from "/assets/page.js";

const json = async (url, options) => {
  const response = await fetch(url, options).catch(() => null);
  return response?.ok ? response.json() : null;
};
const later = (milliseconds, body) => {
  let timer;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...words), milliseconds);
  };
};

// Completion of tags: a list below the field, as the combobox pattern has it.
const isTags = (field) => field?.matches?.("#tag, #bulk-tag, input[name=tags]");
function close(field) {
  byID("tag-menu")?.remove();
  field?.setAttribute("aria-expanded", "false");
  field?.removeAttribute("aria-activedescendant");
}
const complete = later(60, async (field) => {
  const parts = field.value.split(",");
  const word = parts.at(-1).trim();
  const found = await json(`/tag-names?q=${encodeURIComponent(word)}`);
  if (!found || field !== document.activeElement) return;
  close(field);
  const names = found.filter(({ tag }) => tag !== word);
  if (!names.length) return;
  const menu = document.createElement("div");
  Object.assign(menu, { id: "tag-menu", className: "menu" });
  menu.setAttribute("role", "listbox");
  menu.setAttribute("aria-label", "Tags that fit");
  names.forEach(({ tag, count }, i) => {
    const option = Object.assign(document.createElement("div"), { id: `tag-option-${i}` });
    option.setAttribute("role", "option");
    option.dataset.tag = tag;
    option.append(Object.assign(document.createElement("bdi"), { textContent: tag }),
      Object.assign(document.createElement("span"), { className: "n", textContent: count }));
    menu.append(option);
  });
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-controls", "tag-menu");
  field.setAttribute("aria-expanded", "true");
  field.after(menu);
});
function take(field, tag) {
  field.value = [...field.value.split(",").slice(0, -1).map((part) => part.trim()), tag].join(", ");
  close(field);
}
document.addEventListener("mousedown", (event) => {
  const option = event.target.closest("#tag-menu [data-tag]");
  if (!option) return;
  event.preventDefault();
  take(option.parentElement.previousElementSibling, option.dataset.tag);
});
document.addEventListener("focusout", (event) => { if (isTags(event.target)) close(event.target); });
document.addEventListener("keydown", (event) => {
  if (!isTags(event.target) || !byID("tag-menu")) return;
  const options = all("#tag-menu [data-tag]");
  const chosen = options.findIndex((option) => option.ariaSelected === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    options[chosen]?.setAttribute("aria-selected", "false");
    const next = options[(chosen + step + options.length) % options.length];
    next.setAttribute("aria-selected", "true");
    event.target.setAttribute("aria-activedescendant", next.id);
  } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) {
    event.preventDefault();
    take(event.target, options[chosen].dataset.tag);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    close(event.target);
  }
}, true);

// The line that adds a task says what it understood.
const understand = later(80, async (field) => {
  const box = byID("understood");
  const line = field.value.trim() && await json(`/understood?q=${encodeURIComponent(field.value)}`);
  if (!box || field !== document.activeElement) return;
  box.replaceChildren();
  if (!line || !(line.words || line.tags.length)) return;
  const chip = (text) => Object.assign(document.createElement("bdi"), { className: "chip on", textContent: text });
  box.append("Understood as ", ...[line.words, ...line.tags.map((tag) => `#${tag}`)].filter(Boolean).map(chip));
});

// The checker's messages while a definition is written.
const check = later(150, async (field) => {
  const name = decodeURIComponent(attribute(field.form, "action").split("/").pop());
  const body = new URLSearchParams({ form: formToken(), text: field.value, name });
  const answer = await json(field.dataset.check, { method: "POST", body });
  const box = byID("findings");
  if (answer && box) box.innerHTML = answer.html;
});

// Limits and mistakes of a field, beside it.
function judge(field) {
  const box = field.closest(".field");
  if (!box || !field.willValidate) return;
  box.querySelector(".err.typed")?.remove();
  field.removeAttribute("aria-invalid");
  if (field.validity.valid) return;
  field.setAttribute("aria-invalid", "true");
  box.append(Object.assign(document.createElement("p"), { className: "err typed", textContent: field.validationMessage }));
}
document.addEventListener("focusout", (event) => { if (event.target.matches?.(".field .in")) judge(event.target); });

// A reference is found by its title.
const look = later(80, async (field) => {
  const found = await json(`/references?entity=${field.dataset.entity}&q=${encodeURIComponent(field.value)}`);
  const list = byID(field.getAttribute("list"));
  if (!found || !list) return;
  list.replaceChildren(...found.map(({ reference, title }) =>
    Object.assign(document.createElement("option"), { value: reference, label: title, textContent: title })));
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (isTags(field)) complete(field);
  if (field.matches(".add [name=text]") && byID("understood")) understand(field);
  if (field.dataset.check) check(field);
  if (field.dataset.entity) look(field);
  if (field.getAttribute("aria-invalid")) judge(field);
  if (field.id === "pad") write(field);
});

// A file into the field of a definition.
document.addEventListener("change", async (event) => {
  const into = event.target.dataset?.into;
  const [file] = event.target.files ?? [];
  if (!into || !file) return;
  const field = byID(into);
  field.value = await file.text();
  const name = byID("name");
  if (!name.value) name.value = file.name.replace(/\.ya?ml$/, "").replace(/[^A-Za-z0-9_-]+/g, "-");
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// The scratchpad saves as one types. Each keystroke is kept in this browser until the server has it.
const draft = "errand-pad";
const state = (text) => { const box = byID("pad-state"); if (box) box.textContent = text; };
let saving = false;
function write(pad) {
  localStorage.setItem(draft, pad.value);
  state("…");
  save();
}
const save = later(500, saveNow);
async function saveNow() {
  const pad = byID("pad");
  const text = localStorage.getItem(draft);
  if (!pad || text === null || saving) return;
  saving = true;
  const form = byID("pad-form");
  const version = form.elements.version;
  const body = new URLSearchParams({ form: formToken(), script: "1", version: version.value, text });
  const answer = await json("/pad", { method: "POST", body });
  saving = false;
  if (!answer) return state("It waits here until Errand answers again.");
  version.value = answer.version;
  if (answer.text !== null) {
    // What was written elsewhere stands below; what was typed meanwhile stays.
    pad.value = pad.value === text ? answer.text : pad.value + answer.text.slice(text.length);
    localStorage.setItem(draft, pad.value);
  }
  if (localStorage.getItem(draft) === text || answer.text !== null && pad.value === answer.text) {
    localStorage.removeItem(draft);
    pad.defaultValue = pad.value;
    state("Saved");
  } else save();
}
function restore() {
  const pad = byID("pad");
  const text = localStorage.getItem(draft);
  byID("pad-save")?.setAttribute("hidden", "");
  if (!pad || text === null || pad.value === text) return;
  pad.value = text;
  state("It waits here until Errand answers again.");
  save();
}
document.addEventListener("page", restore);
document.addEventListener("online-again", saveNow);
restore();

// How far a text was read.
document.addEventListener("scroll", (event) => {
  const far = byID("far");
  const pane = event.target;
  if (far && pane.scrollHeight) far.value = 100 * pane.scrollTop / Math.max(pane.scrollHeight - pane.clientHeight, 1);
}, true);
