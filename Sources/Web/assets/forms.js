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
// Asks about the text of a field, and shows the answer while the field has that text.
const about = (milliseconds, question, show) => later(milliseconds, async (field) => {
  const { value } = field;
  const answer = await question(field, value);
  if (answer && field.isConnected && field.value === value) show(answer, field);
});

// Completion of tags: a list below the field, as the combobox pattern has it. A field for one tag is
// sent as soon as one is chosen; others take several, with commas.
const isTags = (field) => field?.matches?.("[data-tags], input[name=tags]");
const isOne = (field) => field.dataset.tags === "one";
function close(field) {
  byID("tag-menu")?.remove();
  field?.setAttribute("aria-expanded", "false");
  field?.removeAttribute("aria-activedescendant");
}
const lastTag = (value) => value.split(",").at(-1).trim();
const complete = about(60, (field, value) => {
  const { url, title } = field.form?.elements ?? {};
  const of = lastTag(value) ? "" : field.dataset.of ?? url?.value ?? "";
  return lastTag(value) || of ? json(`/tag-names?${new URLSearchParams({ q: lastTag(value), of, title: title?.value ?? "" })}`) : [];
}, (found, field) => {
  if (field !== document.activeElement) return;
  close(field);
  const typed = lastTag(field.value);
  const names = found.map(({ tag, count }) => ({ tag, text: tag, count }));
  if (typed && !found.some(({ tag }) => tag === typed)) names.push({ tag: typed, text: `New tag “${typed}”`, count: "" });
  if (!names.length) return;
  const menu = document.createElement("div");
  Object.assign(menu, { id: "tag-menu", className: "menu" });
  menu.setAttribute("role", "listbox");
  menu.setAttribute("aria-label", typed ? "Tags that fit" : "Suggested tags");
  names.forEach(({ tag, text, count }, i) => {
    const option = Object.assign(document.createElement("div"), { id: `tag-option-${i}` });
    option.setAttribute("role", "option");
    option.dataset.tag = tag;
    option.append(Object.assign(document.createElement("bdi"), { textContent: text }),
      Object.assign(document.createElement("span"), { className: "n", textContent: count }));
    menu.append(option);
  });
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-controls", "tag-menu");
  field.setAttribute("aria-expanded", "true");
  field.after(menu);
});
function take(field, tag) {
  field.value = [...field.value.split(",").slice(0, -1).map((part) => part.trim()), tag].join(", ")
    + (isOne(field) ? "" : ", ");
  close(field);
  if (isOne(field)) field.form.requestSubmit();
}
document.addEventListener("mousedown", (event) => {
  const option = event.target.closest("#tag-menu [data-tag]");
  if (!option) return;
  event.preventDefault();
  take(option.parentElement.previousElementSibling, option.dataset.tag);
});
document.addEventListener("focusin", (event) => { if (isTags(event.target)) complete(event.target); });
document.addEventListener("focusout", (event) => { if (isTags(event.target)) close(event.target); });
document.addEventListener("keydown", (event) => {
  if (!isTags(event.target) || !byID("tag-menu")) return;
  const options = all("#tag-menu [data-tag]");
  const chosen = options.findIndex((option) => option.ariaSelected === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    options[chosen]?.setAttribute("aria-selected", "false");
    const next = options[chosen < 0 && step < 0 ? options.length - 1 : (chosen + step + options.length) % options.length];
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
const understand = about(80, (_, value) => json(`/understood?q=${encodeURIComponent(value)}`), (line, field) => {
  const box = field.form.nextElementSibling;
  if (field !== document.activeElement) return;
  box.replaceChildren();
  if (!line.parts.length) return;
  const chip = (text) => Object.assign(document.createElement("bdi"), { className: "chip on", textContent: text });
  box.append("Understood as ", ...line.parts.map(chip));
});

// Words for a day, a moment or a length of time: what they mean, below the field.
const read = about(80, ({ dataset }, value) => json(`/understood?as=${dataset.words}&q=${encodeURIComponent(value)}`), ({ text }, field) => {
  let line = field.nextElementSibling;
  if (line?.localName !== "output") {
    line = Object.assign(document.createElement("output"), { className: "hint" });
    field.after(line);
  }
  line.textContent = text ?? (field.value && "Not understood yet");
});

// The checker's messages while a definition is written.
const check = about(150, (field, text) => {
  const name = decodeURIComponent(attribute(field.form, "action").split("/").pop());
  return json(field.dataset.check, { method: "POST", body: new URLSearchParams({ form: formToken(), text, name }) });
}, ({ html }) => {
  const box = byID("findings");
  if (box) box.innerHTML = html;
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
const look = about(80, ({ dataset }, value) => json(`/references?entity=${dataset.entity}&q=${encodeURIComponent(value)}`), (found, field) => {
  byID(field.getAttribute("list"))?.replaceChildren(...found.map(({ reference, title }) =>
    Object.assign(document.createElement("option"), { value: reference, label: title, textContent: title })));
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (isTags(field)) complete(field);
  if (field.matches("form[action='/tasks'] [name=text]")) understand(field);
  if (field.dataset.check) check(field);
  if (field.dataset.entity) look(field);
  if (field.dataset.words) read(field);
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
  const form = byID("pad-form");
  const text = localStorage.getItem(draft);
  if (!form || text === null || saving) return;
  saving = true;
  const body = new URLSearchParams({ form: formToken(), script: "1", version: form.elements.version.value, text });
  const answer = await json("/pad", { method: "POST", body });
  saving = false;
  if (!answer) return state("It waits here until Errand answers again.");
  // What was written elsewhere stands below; what was typed meanwhile stays.
  const saved = answer.text ?? text;
  const typed = localStorage.getItem(draft) ?? text;
  const whole = typed === text ? saved : typed + saved.slice(text.length);
  if (whole === saved) localStorage.removeItem(draft);
  else localStorage.setItem(draft, whole);
  // Another page may be shown by now.
  const pad = byID("pad");
  if (!pad) return;
  byID("pad-form").elements.version.value = answer.version;
  if (pad.value !== whole) pad.value = whole;
  if (whole !== saved) return save();
  pad.defaultValue = whole;
  state("Saved");
}
function restore() {
  const pad = byID("pad");
  const text = localStorage.getItem(draft);
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
