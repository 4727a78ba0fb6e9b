// Lists: more rows as one scrolls, selection, and what a swipe does.

import { all, byID, load, matches, parsed, send } from "/assets/page.js";

// More rows are loaded at the end. Of a long list only what is near stays in the page; the rest is
// a gap of the same height, filled again on coming back.
const near = 8;
const watch = new IntersectionObserver(async (entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || target.dataset.busy) continue;
    target.dataset.busy = "1";
    await (target.matches(".gap") ? fill(target) : append(target));
  }
}, { rootMargin: "600px" });

async function page(url) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) return null;
  const next = parsed(await response.text());
  // The rows are then of the list that is shown, not of the page that they came with.
  const list = encodeURIComponent(byID("rows")?.dataset.list ?? "");
  for (const title of all("#rows .title", next)) title.setAttribute("href", `${title.pathname}?list=${list}`);
  return next;
}

async function append(more) {
  const url = more.querySelector("a").href;
  const next = await page(url);
  if (!next || !more.isConnected) return delete more.dataset.busy;
  const chunk = next.querySelector("#rows .chunk");
  if (!chunk) return more.remove();
  // A day that goes on has its name already.
  const titles = all("h2.group", more.parentElement);
  const first = chunk.querySelector("h2.group");
  if (first && titles.at(-1)?.textContent === first.textContent) first.remove();
  chunk.dataset.url = url;
  const following = next.querySelector("#rows .more");
  more.before(document.adoptNode(chunk));
  if (following) more.before(document.adoptNode(following));
  more.remove();
  trim();
  begin();
}

function trim() {
  const chunks = all("#rows > .chunk, #rows > .gap");
  const middle = innerHeight / 2;
  const nearest = chunks.reduce((best, chunk, i) => {
    const { top, bottom } = chunk.getBoundingClientRect();
    const distance = Math.max(top - middle, middle - bottom, 0);
    return distance < best.distance ? { i, distance } : best;
  }, { i: 0, distance: Infinity }).i;
  chunks.forEach((chunk, i) => {
    if (!chunk.dataset.url || chunk.matches(".gap") || Math.abs(i - nearest) <= near
      || chunk.querySelector(":checked") || chunk.contains(document.activeElement)) return;
    const gap = document.createElement("div");
    gap.className = "gap";
    gap.dataset.url = chunk.dataset.url;
    gap.style.height = `${chunk.offsetHeight}px`;
    chunk.replaceWith(gap);
    watch.observe(gap);
  });
}

async function fill(gap) {
  const next = await page(gap.dataset.url);
  const chunk = next?.querySelector("#rows .chunk");
  if (!chunk || !gap.isConnected) return delete gap.dataset.busy;
  chunk.dataset.url = gap.dataset.url;
  gap.replaceWith(document.adoptNode(chunk));
  trim();
}

function begin() {
  for (const more of all("#rows .more, #rows .gap")) watch.observe(more);
  count();
}
document.addEventListener("page", begin);
begin();

// Selection.
const grouped = (number) => Number(number).toLocaleString("en");
function count() {
  const chosen = byID("chosen");
  if (!chosen) return;
  const number = byID("all").checked ? chosen.dataset.total : all("#rows .box:checked").length;
  chosen.textContent = Number(number) ? `${grouped(number)} selected` : "Choose rows";
}
let last;
document.addEventListener("click", (event) => {
  if (!event.target.matches("#rows .box")) return;
  const boxes = all("#rows .box");
  const [from, to] = [boxes.indexOf(last), boxes.indexOf(event.target)].sort((a, b) => a - b);
  if (event.shiftKey && from >= 0) for (const box of boxes.slice(from, to + 1)) box.checked = event.target.checked;
  last = event.target;
});
document.addEventListener("change", count);
document.addEventListener("choose", async () => {
  const item = document.activeElement?.closest(".row")?.dataset.item;
  if (!byID("bulk")) {
    const select = document.querySelector(".tools a.small");
    if (!select || !await load(select.href, "replace")) return;
  }
  const row = all(".row").find((row) => row.dataset.item === item);
  row?.querySelector(".title")?.focus();
  row?.querySelector(".box")?.click();
});
// What cannot be seen whole is asked before; a change of many says that it goes on.
document.addEventListener("submit", (event) => {
  if (!matches(event.target, "#bulk")) return;
  const chosen = byID("chosen");
  const total = byID("all").checked ? Number(chosen.dataset.total) : 0;
  if (event.submitter?.value === "delete" && total && !confirm(`Delete ${grouped(total)} items?`)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  for (const menu of all("details[open]", event.target)) menu.open = false;
  if (total > 200) {
    chosen.replaceChildren(`Changing ${grouped(total)} …`, document.createElement("progress"));
  }
}, true);

// A swipe to the right marks as read, one to the left archives; tasks are done, notes deleted.
let swipe;
const meant = (row, isRight) => {
  const entity = row.dataset.item.split("/")[2];
  if (entity === "Link") return isRight ? "read" : "archive";
  if (entity === "Task") return isRight ? "toggle" : "delete";
  return isRight ? null : "delete";
};
document.addEventListener("touchstart", (event) => {
  const row = event.target.closest?.(".grip") ? null : event.target.closest?.(".row[data-item], .todo[data-item]");
  swipe = row && event.touches.length === 1
    ? { row, x: event.touches[0].clientX, y: event.touches[0].clientY, by: 0 } : null;
}, { passive: true });
document.addEventListener("touchmove", (event) => {
  if (!swipe) return;
  const { clientX, clientY } = event.touches[0];
  if (!swipe.by && Math.abs(clientY - swipe.y) > Math.abs(clientX - swipe.x)) return void (swipe = null);
  swipe.by = clientX - swipe.x;
  swipe.row.style.translate = `${swipe.by}px`;
  swipe.row.dataset.swipe = Math.abs(swipe.by) < 80 ? "" : meant(swipe.row, swipe.by > 0) ?? "";
}, { passive: true });
document.addEventListener("touchend", () => {
  if (!swipe) return;
  const { row, by } = swipe;
  const action = Math.abs(by) >= 80 ? meant(row, by > 0) : null;
  row.style.translate = "";
  delete row.dataset.swipe;
  swipe = null;
  if (action) send(`${row.dataset.item}/${action}`, { back: location.pathname + location.search });
});

// An order by hand: a task, or a step of a shortcut, is dragged by its handle, or moved with the arrow keys on it, among those of
// its group.
function place(row) {
  if (row.matches(".step")) return document.dispatchEvent(new CustomEvent("moved", { detail: row }));
  const [before, after] = [row.nextElementSibling, row.previousElementSibling].map((near) => near?.dataset.ref ?? "");
  return send(`${row.dataset.item}/place`, { back: location.pathname + location.search, before, after: before ? "" : after });
}
let dragged;
document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip || event.button) return;
  grip.setPointerCapture(event.pointerId);
  const row = grip.closest(".todo, .step");
  dragged = { row, next: row.nextElementSibling };
  dragged.row.classList.add("dragged");
});
document.addEventListener("pointermove", ({ clientY }) => {
  if (!dragged) return;
  const { row } = dragged;
  const near = [...row.parentElement.children].find((other) => {
    const { top, height } = other.getBoundingClientRect();
    return other !== row && clientY < top + height / 2;
  });
  if (near !== row.nextElementSibling) row.parentElement.insertBefore(row, near ?? null);
});
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => {
    if (!dragged) return;
    const { row, next } = dragged;
    dragged = null;
    row.classList.remove("dragged");
    if (row.nextElementSibling !== next) place(row);
  });
}
document.addEventListener("keydown", async (event) => {
  const grip = event.target.closest?.(".grip");
  const step = grip && { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const row = grip.closest(".todo, .step");
  if (step < 0) row.previousElementSibling?.before(row);
  else row.nextElementSibling?.after(row);
  const { item } = row.dataset;
  await place(row);
  document.querySelector(`.todo[data-item="${item}"] .grip`)?.focus();
});
// The press that ends a drag moves nothing once more.
document.addEventListener("click", (event) => {
  if (event.target.closest?.(".grip") && event.detail) event.preventDefault();
}, true);

// The day and the repetition of a task are changed below its row.
document.addEventListener("click", (event) => {
  const form = byID("when-row");
  const due = event.target.closest?.("a.due[data-due]");
  if (event.target.closest?.("[data-close]")) form.hidden = true;
  if (!due || !form || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const row = due.closest(".todo");
  form.setAttribute("action", `${row.dataset.item}/edit`);
  for (const name of ["due", "repeat"]) {
    form.querySelector(`input[name=${name}]`).value = due.dataset[name];
    form.querySelector(`[name="was.${name}"]`).value = due.dataset[name];
  }
  row.after(form);
  form.hidden = false;
  form.querySelector("input[name=due]").focus();
}, true);

// A tag is dragged onto another, to stand below it, or to the top.
const drag = (event) => event.target.closest?.("#list .tag[data-tag], #tag-top");
let held;
document.addEventListener("dragstart", (event) => {
  held = drag(event)?.dataset.tag;
  if (held) byID("tag-top").hidden = !held.includes("/");
});
document.addEventListener("dragover", (event) => {
  const onto = held && drag(event);
  for (const one of all(".dropping")) one.classList.toggle("dropping", one === onto);
  if (!onto || onto.dataset.tag === held || onto.dataset.tag?.startsWith(`${held}/`)) return;
  onto.classList.add("dropping");
  event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const onto = held && drag(event);
  if (!onto) return;
  event.preventDefault();
  const name = held.split("/").at(-1);
  send("/tags/rename", { tag: held, to: onto.dataset.tag ? `${onto.dataset.tag}/${name}` : name, back: "/tags" });
});
document.addEventListener("dragend", () => {
  held = null;
  if (byID("tag-top")) byID("tag-top").hidden = true;
  for (const one of all(".dropping")) one.classList.remove("dropping");
});
