// Menus, the key, the address bar: each saves or finds without a page of its own.

import { api, ask, flush, save } from "./host.js";

const from = "browser";
const isPage = (url) => /^https?:/.test(url ?? "");

// The button says for a moment what came of it.
async function tell(answer) {
  const [text, color] = answer?.ok ? ["✓", "#1d693a"] : answer?.waits ? ["…", "#855000"] : ["!", "#ad241b"];
  await api.action.setBadgeBackgroundColor({ color });
  await api.action.setBadgeText({ text });
  if (!answer?.ok && answer?.message) await api.action.setTitle({ title: answer.message });
  setTimeout(() => api.action.setBadgeText({ text: "" }), 3000);
}

export const page = (tab) => ({ url: tab.url, title: tab.title, from });

const menus = [
  ["page", ["page"], "Save this page", ({ pageUrl }, tab) => page({ url: pageUrl, title: tab.title })],
  ["link", ["link"], "Save this link", ({ linkUrl, linkText }) => ({ url: linkUrl, title: linkText || undefined, from })],
  ["selection", ["selection"], "Keep the selection as a note",
    ({ selectionText, pageUrl }, tab) => ({ text: `“${selectionText}”\n\n${tab.title}\n${pageUrl}`, from })],
  ["image", ["image"], "Save this picture's address", ({ srcUrl, pageUrl }) => ({ url: srcUrl, note: `From ${pageUrl}`, from })],
  ["media", ["audio", "video"], "Save this file's address", ({ srcUrl, pageUrl }) => ({ url: srcUrl, note: `From ${pageUrl}`, from })],
];

api.runtime.onInstalled.addListener(() => {
  for (const [id, contexts, title] of menus) api.contextMenus.create({ id, contexts, title });
  api.contextMenus.create({ id: "tabs", contexts: ["action"], title: "Save all tabs of this window" });
});

api.contextMenus.onClicked.addListener(async (info, tab) => {
  if (info.menuItemId === "tabs") return saveTabs();
  const share = menus.find(([id]) => id === info.menuItemId)?.[3](info, tab);
  if (share) tell(isPage(share.url) || share.text ? await save(share) : { message: "Only pages of the Web can be saved." });
});

// All tabs of a window are one save.
async function saveTabs() {
  if (!await api.permissions.request({ permissions: ["tabs"] })) return;
  const tabs = (await api.tabs.query({ currentWindow: true })).filter((tab) => isPage(tab.url));
  if (tabs.length) tell(await save({ items: tabs.map(({ url, title }) => ({ url, title })), from }));
}

api.commands.onCommand.addListener(async (command, given) => {
  if (command !== "save") return;
  const tab = given ?? (await api.tabs.query({ active: true, currentWindow: true }))[0];
  if (tab && isPage(tab.url)) tell(await save(page(tab)));
});

// The address bar: `e`, a space, and words of the library.
const escaped = (text) => text.replace(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
api.omnibox.onInputChanged.addListener(async (words, suggest) => {
  const { items = [], message } = await ask({ find: words, limit: 8 }).catch(() => ({}));
  if (message) api.omnibox.setDefaultSuggestion({ description: escaped(message) });
  suggest(items.map(({ url, title }) => ({ content: url, description: escaped(`${title} — ${url}`) })));
});
api.omnibox.onInputEntered.addListener(async (words, disposition) => {
  let url = words;
  if (!isPage(words)) {
    const { items = [] } = await ask({ find: words, limit: 1 }).catch(() => ({}));
    url = items[0]?.url;
  }
  if (!isPage(url)) return;
  if (disposition === "currentTab") api.tabs.update({ url });
  else api.tabs.create({ url, active: disposition === "newForegroundTab" });
});

api.runtime.onStartup.addListener(flush);
