import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';

export interface Letter {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
export interface Receiver {
  url: string;
  port: number;
  letters: Letter[];
  /** What it answers from now on. */
  answer: { status: number; body: string };
  close(): void;
}

/** Another house's server, over real HTTP. */
export async function openReceiver(): Promise<Receiver> {
  const letters: Letter[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    letters.push({ path: request.url!, headers: request.headers, body });
    response.writeHead(receiver.answer.status).end(receiver.answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    port,
    letters,
    answer: { status: 200, body: '{"errcode":0,"code":0,"errmsg":"ok"}' },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

export interface Post {
  port: number;
  letters: string[];
  /** It takes a letter only once this is over. */
  held: Promise<void>;
  close(): void;
}

/** A mail server that takes everything but what is meant for `nobody@…`, has no time for `busy@…`, and lets nobody sign in. */
export async function openPost(): Promise<Post> {
  const letters: string[] = [];
  const server: Server = createPlainServer((socket) => {
    let reading = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
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
          letters.push(said);
          void post.held.then(() => say('250 ok'));
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
  const post: Post = { port, letters, held: Promise.resolve(), close: () => void server.close() };
  return post;
}
