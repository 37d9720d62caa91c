import { Worker } from 'node:worker_threads';

/** A request body: the bytes before and after, and so many bytes of one filling in between. */
export interface Uploaded {
  before: Uint8Array;
  fill: string;
  /** Number of bytes of the filling. */
  length: number;
  after: Uint8Array;
}
/** A complete body without filling. */
export const whole = (before: Uint8Array): Uploaded => ({ before, fill: ' ', length: 0, after: new Uint8Array() });
/** A body as the file of a form, with fields before it. */
export function asForm(name: string, { before, after, ...body }: Uploaded, fields: Record<string, string> = {}) {
  const line = (head: string, content = '') => `--heavy\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}`;
  const given = Object.entries(fields).map(([key, value]) => `${line(`name="${key}"`, value)}\r\n`);
  const head = Buffer.from(`${given.join('')}${line(`name="file"; filename="${name}"`)}`);
  return {
    ...body,
    before: Buffer.concat([head, before]),
    after: Buffer.concat([after, Buffer.from('\r\n--heavy--\r\n')]),
  };
}
export const formType = 'multipart/form-data; boundary=heavy';

const sender = `
  const { parentPort, workerData: { url, method, headers, before, fill, length, after } } = require('node:worker_threads');
  const { request } = require('node:http');
  const piece = Buffer.from(fill.repeat(Math.ceil(65536 / fill.length)));
  const sent = { ...headers, 'content-length': before.length + length + after.length };
  const asked = request(url, { method, headers: sent }, (answer) => {
    const parts = [];
    answer.on('data', (part) => parts.push(part));
    answer.on('end', () => parentPort.postMessage({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
  });
  asked.on('error', (error) => { throw error; });
  let left = length;
  const go = () => {
    while (left > 0) {
      const some = piece.subarray(0, Math.min(left, piece.length));
      left -= some.length;
      if (!asked.write(some)) return void asked.once('drain', go);
    }
    asked.end(Buffer.from(after));
  };
  asked.write(Buffer.from(before));
  go();
`;

/** Sends it from a separate thread, so that only the server's own cost is measured. */
export function sendFrom(
  url: string,
  headers: Record<string, string>,
  body: Uploaded,
  method = 'POST',
): Promise<{ status: number; text: string }> {
  const worker = new Worker(sender, { eval: true, workerData: { url, method, headers, ...body } });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}
