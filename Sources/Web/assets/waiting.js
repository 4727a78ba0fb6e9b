// Shares that wait for the server, in a database of this browser.

const opened = new Promise((done, failed) => {
  const request = indexedDB.open("errand", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("waiting", { keyPath: "key" });
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

async function use(mode, body) {
  const database = await opened;
  return new Promise((done, failed) => {
    const transaction = database.transaction("waiting", mode, { durability: "strict" });
    const request = body(transaction.objectStore("waiting"));
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = () => failed(transaction.error);
  });
}

// Keeps a share: `url`, `text`, `title`, `files`; it is on the disk when this ends.
export const take = (share) => use("readwrite", (store) =>
  store.put({ ...share, key: `${String(Date.now()).padStart(15, "0")}-${crypto.randomUUID()}` }));
export const waiting = () => use("readonly", (store) => store.getAll());
export const remove = (key) => use("readwrite", (store) => store.delete(key));
