// The program on this machine, and what waits for it.

export const api = globalThis.browser ?? chrome;
const name = "errand";

// Asks the program; each message starts it once, and nothing of it stays.
export const ask = (message) => api.runtime.sendNativeMessage(name, message);

// What was saved waits in the browser until the program has it on its disk. The key makes sure that
// it is kept once, wherever browser or program are killed.
const read = async () => (await api.storage.local.get({ waiting: [] })).waiting;
const write = (waiting) => api.storage.local.set({ waiting });

// One at a time, since several pages change the same list.
let last = Promise.resolve();
const inOrder = (body) => (last = last.then(body, body));

export const waiting = read;
export const forget = (key) => inOrder(async () => write((await read()).filter((share) => share.key !== key)));

// Keeps a share and sends it; the answer says whether it is on the disk.
export async function save(share) {
  const kept = { ...share, key: crypto.randomUUID(), at: Date.now() };
  await inOrder(async () => write([...await read(), kept]));
  return send(kept);
}

async function send(share) {
  const { at, ...message } = share;
  let answer;
  try { answer = await ask({ share: message }); } catch (error) {
    return { ok: false, waits: true, key: share.key, message: String(error.message ?? error) };
  }
  // A share that is wrong would be refused each time.
  if (answer.ok || answer.refused) await forget(share.key);
  return { ...answer, key: share.key };
}

// Sends what waits, oldest first, until one cannot be sent.
export async function flush() {
  for (const share of await read()) if ((await send(share)).waits) return false;
  return true;
}
