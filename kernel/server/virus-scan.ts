import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';

/** Looks through content; answers the name of what was found, or null. Fails where the scanner does not answer. */
export type Scan = (content: Readable) => Promise<string | null>;

const patience = 60_000;

/** A clamd at `host:port`, asked by INSTREAM: chunks with their length before them, an empty one at the end. */
export function createScan(address: string): Scan {
  const { hostname, port } = new URL(`tcp://${address}`);
  return async (content) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    const late = setTimeout(() => socket.destroy(new Error('the virus scanner does not answer')), patience);
    const answer: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => answer.push(chunk));
    const answered = once(socket, 'end');
    answered.catch(() => undefined);
    try {
      await once(socket, 'connect');
      socket.write('zINSTREAM\0');
      for await (const chunk of content as AsyncIterable<Buffer>) {
        // It may have said its word, and closed, before the end: too long for it, or found already.
        if (socket.readableEnded) break;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        socket.write(length);
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered]);
      }
      if (!socket.readableEnded) socket.write(Buffer.alloc(4));
      await answered;
      return verdictOf(Buffer.concat(answer).toString('utf8'));
    } finally {
      clearTimeout(late);
      socket.destroy();
      content.destroy();
    }
  };
}

function verdictOf(answer: string): string | null {
  const said = answer.replace(/\0/g, '').trim();
  if (said === 'stream: OK') return null;
  const found = /^stream: (.+) FOUND$/.exec(said)?.[1];
  if (!found) throw new Error(`the virus scanner answered: ${said.slice(0, 200)}`);
  return found;
}
