// Messages of JSON-RPC with a program on its streams (LSP 3.17, "Base protocol").
'use strict';
const { spawn } = require('child_process');

class Connection {
  constructor(program, words, folder) {
    this.waiting = new Map();
    this.last = 0;
    this.bytes = Buffer.alloc(0);
    this.onNotification = () => {};
    this.onEnd = () => {};
    this.child = spawn(program, words, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.on('error', (error) => this.end(`${program} can't be started: ${error.message}`));
    this.child.on('exit', (status) => this.end(`the language server ended (${status})`));
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (chunk) => this.read(chunk));
  }

  request(method, params) {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new Error(this.ended));
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  notify(method, params) {
    if (!this.ended) this.send({ method, params });
  }

  async stop() {
    if (this.ended) return;
    await this.request('shutdown', null).catch(() => {});
    this.notify('exit', null);
  }

  send(message) {
    const content = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.child.stdin.write(`Content-Length: ${content.length}\r\n\r\n`);
    this.child.stdin.write(content);
  }

  read(chunk) {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.bytes.toString('latin1', 0, end))[1]);
      const start = end + 4;
      if (this.bytes.length < start + length) return;
      const message = JSON.parse(this.bytes.toString('utf8', start, start + length));
      this.bytes = this.bytes.subarray(start + length);
      this.take(message);
    }
  }

  take({ id, method, params, result, error }) {
    if (method) {
      this.onNotification(method, params);
      // Requests of the server only register what this client does anyway.
      if (id !== undefined) this.send({ id, result: null });
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (!waiting) return;
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  end(reason) {
    if (this.ended) return;
    this.ended = reason;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
    this.onEnd(reason);
  }
}

exports.Connection = Connection;
