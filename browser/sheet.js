// The sheet of the button: what is known of the page, and saving it.

import { api, ask, flush, save, waiting } from "./host.js";

const byID = (id) => document.getElementById(id);
const [head, status, form] = ["head", "status", "sheet"].map(byID);
let tab, last;

// The page's own words, read only since somebody opened the sheet.
async function suggestions() {
  const [found] = await api.scripting.executeScript({
    target: { tabId: tab.id },
    func: () => [...document.querySelectorAll("meta[name=keywords], meta[property='article:tag']")]
      .flatMap((meta) => meta.content.split(",")).map((word) => word.trim()).filter((word) => word && word.length <= 40),
  }).catch(() => []);
  return [...new Set(found?.result ?? [])].slice(0, 5);
}

function tell(title, sentence, kind) {
  head.textContent = title;
  status.hidden = !sentence;
  status.textContent = sentence;
  status.className = kind ?? "";
}

function only(...ids) {
  for (const id of ["about", "tagging", "noting", "reading", "save", "undo", "show"]) byID(id).hidden = !ids.includes(id);
}

async function offline(answer) {
  const count = (await waiting()).length;
  tell("Kept for later", `${answer.message} What you save waits in the browser and is sent once.`, "bad-text");
  byID("hint").textContent = count === 1 ? "1 page waits" : `${count} pages wait`;
  only("save");
  byID("save").textContent = "Try now";
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (await flush()) {
      tell("Saved", "All that waited is on the disk.", "good");
      only();
      byID("hint").textContent = "";
    }
  };
}

async function begin() {
  [tab] = await api.tabs.query({ active: true, currentWindow: true });
  if (!/^https?:/.test(tab?.url ?? "")) {
    tell("Not a page", "Only pages of the Web can be saved.");
    return only();
  }
  byID("title").value = tab.title ?? "";
  byID("host").textContent = new URL(tab.url).host;
  byID("hint").textContent = "↵ saves";
  byID("save").focus();
  const [known, words] = await Promise.all([ask({ known: tab.url }).catch(() => ({})), suggestions()]);
  if (known.item) {
    tell("In your library", `Saved already${known.item.tags.length ? `, with ${known.item.tags.map((tag) => `#${tag}`).join(" ")}` : ""}.`, "good");
    byID("title").value = known.item.title;
    if (known.item.page) Object.assign(byID("show"), { href: known.item.page, hidden: false });
    byID("save").textContent = "Save changes";
  }
  for (const word of words) {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: word });
    chip.onclick = () => {
      const field = byID("tags");
      field.value = [...field.value.split(",").map((tag) => tag.trim()).filter(Boolean), word].join(", ");
      chip.remove();
    };
    byID("suggested").append(chip);
    byID("suggested").hidden = false;
  }
}

form.onsubmit = async (event) => {
  event.preventDefault();
  byID("save").disabled = true;
  const title = byID("title").value.trim();
  const answer = last = await save({
    url: tab.url, title: title || undefined, from: "browser", note: byID("note").value.trim() || undefined,
    tags: byID("tags").value.split(",").map((tag) => tag.trim()).filter(Boolean), unread: byID("unread").checked,
  });
  byID("save").disabled = false;
  if (answer.ok) {
    tell("Saved", `${title || tab.url} is saved.`, "good");
    byID("hint").textContent = "";
    only("undo");
    byID("undo").focus();
  } else if (answer.waits) await offline(answer);
  else tell("Not saved", answer.message, "bad-text");
};

// Enter saves, also in a field of several lines.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.target.tagName !== "TEXTAREA") return;
  event.preventDefault();
  form.requestSubmit();
});

byID("undo").onclick = async () => {
  const answer = await ask({ undo: last.share }).catch((error) => ({ message: error.message }));
  if (answer.ok) tell("Undone", "It is not in your library.");
  else tell("Not undone", answer.message, "bad-text");
  only();
};

begin();
