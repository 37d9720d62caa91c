import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Scans content; returns the name of what was found, or null. Fails if the scanner does not answer, with `TooLongToScan` if it does not accept
 * content of this length.
 */
export type Scan = (content: Readable) => Promise<string | null>;

export class TooLongToScan extends Error {}

const patience = 60_000;

/** A clamd at `host:port`, asked by INSTREAM: chunks preceded by their length, an empty one at the end. */
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
        // The scanner may answer and close before the end, because the content is too long or something was found. Its answer is read first: a write
        // that comes too late would discard it.
        await setImmediate();
        if (answer.length > 0) break;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        socket.write(length);
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered]);
      }
      if (answer.length === 0) socket.write(Buffer.alloc(4));
      await answered;
      return verdictOf(answer);
    } catch (error) {
      // It may close the connection right after its answer.
      if (answer.length > 0) return verdictOf(answer);
      throw error;
    } finally {
      clearTimeout(late);
      socket.destroy();
      content.destroy();
    }
  };
}

function verdictOf(answer: readonly Buffer[]): string | null {
  const said = Buffer.concat(answer).toString('utf8').replace(/\0/g, '').trim();
  if (said === 'stream: OK') return null;
  if (/size limit exceeded/i.test(said)) throw new TooLongToScan(said.slice(0, 200));
  const found = /^stream: (.+) FOUND$/.exec(said)?.[1];
  if (!found) throw new Error(`the virus scanner answered: ${said.slice(0, 200)}`);
  return found;
}
