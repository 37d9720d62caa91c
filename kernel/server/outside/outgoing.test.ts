import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insideNames, insideSpellings } from '../testing/inside-spellings.ts';
import { createOutgoing, NotAllowed, Unanswered, type Outgoing } from './outgoing.ts';

const servers: Server[] = [];
const clients: Outgoing[] = [];
/** `127.0.0.1` stands for the internal network, where nothing may arrive; `127.0.0.2` plays a public server. */
const inside = '127.0.0.1';
const outside = '127.0.0.2';
let arrived = 0;
let canary: number;

async function listen(host: string, answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, host, ready));
  return (server.address() as AddressInfo).port;
}
function client(options: Partial<Parameters<typeof createOutgoing>[0]> = {}): Outgoing {
  const made = createOutgoing({ allow: [outside], ...options });
  clients.push(made);
  return made;
}
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: Error) => error,
  );

beforeAll(async () => {
  canary = await listen(inside, (_request, response) => response.end('inside'));
  servers[0]!.on('connection', () => arrived++);
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('addresses inside our network', () => {
  test(`are not requested, in any of ${insideSpellings.length} spellings`, async () => {
    const guarded = client({ allow: [], lookup: async (host) => insideNames[host] ?? [] });
    expect(insideSpellings.length).toBeGreaterThan(150);
    for (const host of insideSpellings) {
      const error = await failure(guarded.request(`http://${host}:${canary}/`, { seconds: 2 }));
      expect(error, host).toBeInstanceOf(NotAllowed);
    }
    expect(arrived).toBe(0);
  });

  test('are not reached by other schemes or privileged ports', async () => {
    const guarded = client();
    const urls = ['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'data:,x', '//127.0.0.1/', ''];
    const ports = [22, 25, 110, 445].map((port) => `http://${outside}:${port}/`);
    for (const url of [...urls, ...ports]) expect(await failure(guarded.request(url)), url).toBeInstanceOf(NotAllowed);
    expect(arrived).toBe(0);
  });

  test('are not reached by a chain of redirects', async () => {
    const port = await listen(outside, (request, response) => {
      const steps = Number(new URL(request.url!, 'http://x').searchParams.get('steps'));
      const next = steps > 0 ? `/?steps=${steps - 1}` : `http://${inside}:${canary}/`;
      response.writeHead(302, { location: next }).end();
    });
    const guarded = client();
    expect(await failure(guarded.request(`http://${outside}:${port}/?steps=0`))).toBeInstanceOf(NotAllowed);
    expect(await failure(guarded.request(`http://${outside}:${port}/?steps=2`))).toBeInstanceOf(NotAllowed);
    expect(await failure(guarded.request(`http://${outside}:${port}/?steps=9`))).toBeInstanceOf(Unanswered);
    expect(arrived).toBe(0);
  });

  test('are not reached by a name whose address changes', async () => {
    let served = 0;
    const port = await listen(outside, (_request, response) => {
      served++;
      response.setHeader('connection', 'close').end('outside');
    });
    let asked = 0;
    const guarded = client({ lookup: async () => [asked++ % 2 === 0 ? outside : inside] });
    const outcomes = [];
    for (let time = 0; time < 6; time++) outcomes.push(await failure(guarded.request(`http://flip.example:${port}/`)));
    expect(outcomes.map((error) => error?.constructor)).toEqual([0, 1, 2].flatMap(() => [undefined, NotAllowed]));
    // One lookup for each connection: the address that was checked is the one that was connected to.
    expect({ asked, served, arrived }).toEqual({ asked: 6, served: 3, arrived: 0 });
  });

  test('are requested if the operator allows it', async () => {
    const allowed = client({ allow: ['127.0.0.0/30'] });
    const answer = await allowed.request(`http://[::ffff:${inside}]:${canary}/`).catch(() => null);
    expect((answer ?? (await allowed.request(`http://${inside}:${canary}/`))).body.toString()).toBe('inside');
  });
});

describe('an answer from another server', () => {
  let port: number;
  let open: Outgoing;
  const heard: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  beforeAll(async () => {
    open = client();
    port = await listen(outside, async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      heard.push({ url: request.url!, headers: request.headers, body });
      if (request.url === '/slow') response.write('a little');
      else if (request.url === '/big') response.end(Buffer.alloc(200_000));
      else if (request.url === '/br')
        response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(1_000_000)));
      else if (request.url === '/moved') response.writeHead(307, { location: '/there' }).end();
      else if (request.url === '/elsewhere')
        response.writeHead(302, { location: `http://localhost.test:${port}/there` }).end();
      else response.writeHead(request.url === '/broken' ? 503 : 200).end('as asked');
    });
  });
  const at = (path: string) => `http://${outside}:${port}${path}`;

  test('is returned with its status, whatever that is', async () => {
    expect(await open.request(at('/broken'))).toMatchObject({ status: 503, body: Buffer.from('as asked') });
  });

  test('that is late, too large or compressed is refused', async () => {
    expect((await failure(open.request(at('/slow'), { seconds: 0.2 })))?.message).toMatch(/没有及时回答/);
    expect((await failure(open.request(at('/big'), { bytes: 100_000 })))?.message).toMatch(/超过 100000 字节/);
    expect((await failure(open.request(at('/br'))))?.message).toMatch(/压缩（br）/);
    expect(heard.every(({ headers }) => headers['accept-encoding'] === 'identity')).toBe(true);
  });

  test('that redirects a POST is returned, and the body is not posted elsewhere', async () => {
    heard.length = 0;
    expect(await open.request(at('/moved'), { method: 'POST', body: 'letter' })).toMatchObject({ status: 307 });
    expect(heard.map(({ url }) => url)).toEqual(['/moved']);
    expect(await open.request(at('/moved'))).toMatchObject({ status: 200 });
  });

  test('that redirects to another server takes no credentials there', async () => {
    heard.length = 0;
    const named = client({ lookup: async () => [outside] });
    await named.request(at('/elsewhere'), { headers: { authorization: 'Bearer ours' } });
    expect(heard.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
      ['/elsewhere', 'Bearer ours'],
      ['/there', undefined],
    ]);
  });

  test('that never comes is a reason in words instead of a stack trace', async () => {
    const gone = await failure(open.request('http://no.such.example/', { seconds: 3 }));
    expect(gone).toBeInstanceOf(Unanswered);
    expect(gone?.message).toMatch(/no\.such\.example/);
  });
});
