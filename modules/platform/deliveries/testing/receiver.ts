import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Replies of a simulated server. */
export interface Answering<Letter> {
  /** Delays the reply to a message. */
  hold(): Promise<unknown>;
  /** Messages whose reply was sent to a node that still lived. */
  answered: Set<Letter>;
}

export interface Letter {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}
export interface Receiver extends Answering<Letter> {
  url: string;
  port: number;
  letters: Letter[];
  /** Its reply from now on. */
  answer: { status: number; body: string; headers?: Record<string, string> };
  close(): void;
}

/** Another house's server, over real HTTP. */
export async function openReceiver(): Promise<Receiver> {
  const letters: Letter[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request).catch(() => null);
    // The client left before the whole request arrived.
    if (bytes === null) return;
    const letter = { path: request.url!, headers: request.headers, body: bytes.toString(), bytes };
    letters.push(letter);
    await receiver.hold();
    const { status, body: said, headers } = receiver.answer;
    response.writeHead(status, headers).end(said, () => !request.socket.destroyed && receiver.answered.add(letter));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    port,
    letters,
    hold: async () => undefined,
    answered: new Set(),
    answer: { status: 200, body: '{"errcode":0,"code":0,"errmsg":"ok"}' },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

export interface Mail {
  /** Its Message-ID and its Idempotency-Key. */
  id: string;
  key: string;
  text: string;
}
export interface Post extends Answering<Mail> {
  port: number;
  letters: Mail[];
  close(): void;
}

/** A mail server that accepts everything except mail to `nobody@…`, is busy for `busy@…`, and refuses every login. */
export async function openPost(): Promise<Post> {
  const letters: Mail[] = [];
  const server: Server = createPlainServer((socket) => {
    let reading = false;
    let rest = '';
    const say = (line: string, done?: (error?: Error | null) => void) => socket.write(`${line}\r\n`, done);
    say('220 post');
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      rest += part.toString();
      for (;;) {
        const end = rest.indexOf(reading ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const said = rest.slice(0, end);
        rest = rest.slice(end + (reading ? 5 : 2));
        if (reading) {
          const mail = { id: headerOf(said, 'Message-ID'), key: headerOf(said, 'Idempotency-Key'), text: said };
          letters.push(mail);
          void post.hold().then(() => say('250 ok', (error) => !error && post.answered.add(mail)));
        } else if (said.startsWith('RCPT TO:<nobody@')) say('550 no such person');
        else if (said.startsWith('RCPT TO:<busy@')) say('451 later');
        else if (said.startsWith('EHLO')) say('250-post\r\n250 AUTH PLAIN');
        else if (said.startsWith('AUTH')) say('535 no such user');
        else if (said === 'DATA') say('354 go on');
        else if (said === 'QUIT') socket.end('221 bye\r\n');
        else say('250 ok');
        reading = !reading && said === 'DATA';
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post: Post = {
    port,
    letters,
    hold: async () => undefined,
    answered: new Set(),
    close: () => void server.close(),
  };
  return post;
}

const headerOf = (mail: string, name: string) => new RegExp(`^${name}: (.+)$`, 'im').exec(mail)?.[1]?.trim() ?? '';
