import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { createSocket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insideNames, insideSpellings } from '../testing/inside-spellings.ts';
import { createNames } from './names.ts';
import { createProbes, type Probe, type Probes } from './probing.ts';

/** `127.0.0.1` stands for the internal network, where nothing may arrive; `127.0.0.2` plays a public server. */
const inside = '127.0.0.1';
const outside = '127.0.0.2';
const servers: Server[] = [];
let folder: string;
let arrived = 0;
let canary: number;

function listen(server: Server, host = outside): Promise<number> {
  servers.push(server);
  return new Promise((ready) => server.listen(0, host, () => ready((server.address() as AddressInfo).port)));
}
const web = (answer: RequestListener, host = outside) => listen(createServer(answer), host);
const probes = (lookup?: (host: string) => Promise<string[]>): Probes =>
  createProbes({ allow: [outside], ...(lookup ? { lookup } : {}) });
const look = (probe: Partial<Probe> & Pick<Probe, 'target'>, by = probes()) =>
  by.probe({ kind: 'http', seconds: 2, ...probe });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probing-'));
  const server = createTcp((socket) => {
    arrived++;
    socket.destroy();
  });
  canary = await listen(server, inside);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A self-signed certificate that is valid for so many days, made by the system's own program. */
function certificate(name: string, days: number): { key: string; cert: string } {
  const at = (file: string) => join(folder, `${name}.${file}`);
  const span = days > 0 ? ['-days', String(days)] : ['-not_before', '20200101000000Z', '-not_after', '20200201000000Z'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      at('key'),
      '-out',
      at('crt'),
      ...span,
    ],
    { stdio: 'ignore' },
  );
  return { key: at('key'), cert: at('crt') };
}

describe('addresses inside our network, when monitored,', () => {
  test(`are never connected to by any kind of probe, in any of ${insideSpellings.length} spellings`, async () => {
    const guarded = createProbes({
      allow: [],
      lookup: async (host) => insideNames[host] ?? [],
      fping: '/nowhere/fping',
    });
    expect(insideSpellings.length).toBeGreaterThan(120);
    for (const host of insideSpellings) {
      const targets = {
        http: `http://${host}:${canary}/`,
        keyword: `https://${host}:${canary}/`,
        tcp: `${host}:${canary}`,
        certificate: `${host}:${canary}`,
        ping: host,
      };
      for (const [kind, target] of Object.entries(targets))
        expect(
          await guarded.probe({ kind: kind as Probe['kind'], target, seconds: 2 }),
          `${kind} ${host}`,
        ).toMatchObject({ outcome: 'refused' });
    }
    expect(arrived).toBe(0);
  });

  test('are not reached by redirects', async () => {
    const port = await web((_request, response) =>
      response.writeHead(302, { location: `http://${inside}:${canary}/` }).end(),
    );
    expect(await look({ target: `http://${outside}:${port}/` })).toMatchObject({ outcome: 'refused' });
    expect(arrived).toBe(0);
  });

  test('are not reached by a name whose address changes', async () => {
    const port = await web((_request, response) => response.end('outside'));
    let asked = 0;
    const flipping = probes(async () => [asked++ % 2 === 0 ? outside : inside]);
    const outcomes = [];
    for (let time = 0; time < 4; time++)
      outcomes.push((await look({ target: `http://flip.example:${port}/` }, flipping)).outcome);
    for (let time = 0; time < 4; time++)
      outcomes.push((await look({ kind: 'tcp', target: `flip.example:${port}` }, flipping)).outcome);
    expect(outcomes).toEqual(['ok', 'refused', 'ok', 'refused', 'ok', 'refused', 'ok', 'refused']);
    expect({ asked, arrived }).toEqual({ asked: 8, arrived: 0 });
  });

  test('that are our own server’s are reached only at its one port and in one spelling', async () => {
    const port = await web((_request, response) => response.end('own'), inside);
    const own = createProbes({ allow: [], own: `127.0.0.1:${port}` });
    expect(await look({ target: `http://127.0.0.1:${port}/` }, own)).toMatchObject({ outcome: 'ok' });
    // The machine determines whether such a name exists at all.
    expect((await look({ target: `http://localhost:${port}/` }, own)).outcome).not.toBe('ok');
    for (const target of [`http://127.0.0.1:${canary}/`, `http://127.0.0.2:${port}/`])
      expect(await look({ target }, own), target).toMatchObject({ outcome: 'refused' });
    expect(await look({ kind: 'tcp', target: '127.0.0.1:22' }, own)).toMatchObject({ outcome: 'refused' });
    expect(await look({ kind: 'tcp', target: `127.0.0.1:${canary}` }, own)).toMatchObject({ outcome: 'refused' });
    expect(arrived).toBe(0);
  });

  test('cannot be reached by schemes, credentials or privileged ports', async () => {
    for (const target of [
      'file:///etc/passwd',
      'ftp://127.0.0.2/',
      `http://a:b@${outside}/`,
      `http://${outside}:25/`,
      'x',
      '',
    ])
      expect(await look({ target }), target).toMatchObject({ outcome: 'refused' });
    for (const target of ['127.0.0.2', '127.0.0.2:80/x', 'a@127.0.0.2:80', '127.0.0.2:99999', ''])
      expect(await look({ kind: 'tcp', target }), target).toMatchObject({ outcome: 'refused' });
  });
});

describe('a probe', () => {
  test('by HTTP accepts the expected statuses, follows redirects, and times each step', async () => {
    const port = await web((request, response) => {
      const path = request.url!;
      if (path === '/moved') response.writeHead(301, { location: '/' }).end();
      else if (path === '/round') response.writeHead(302, { location: '/round' }).end();
      else response.writeHead(path === '/broken' ? 503 : 200).end('all is well 一切正常');
    });
    const at = (path: string) => `http://${outside}:${port}${path}`;
    const good = await look({ target: at('/') });
    expect(good).toMatchObject({ outcome: 'ok', http_code: 200, msg: '', certificate: null });
    expect(Object.keys(good.steps)).toEqual(['dns', 'connect', 'first']);
    expect(await look({ target: at('/moved') })).toMatchObject({ outcome: 'ok', http_code: 200 });
    expect(await look({ target: at('/moved'), accepted: '200,301' })).toMatchObject({ outcome: 'ok', http_code: 301 });
    expect(await look({ target: at('/round') })).toMatchObject({ outcome: 'fail', msg: '转向超过 5 次' });
    expect(await look({ target: at('/broken') })).toMatchObject({
      outcome: 'fail',
      http_code: 503,
      msg: '状态码 503 不在 200-299 中',
      network: false,
    });
    expect(await look({ target: at('/broken'), accepted: '500-599' })).toMatchObject({ outcome: 'ok' });
    expect(await look({ kind: 'keyword', keyword: '一切正常', target: at('/') })).toMatchObject({ outcome: 'ok' });
    expect(await look({ kind: 'keyword', keyword: '维护中', target: at('/') })).toMatchObject({
      outcome: 'fail',
      msg: '回答中没有关键字“维护中”',
    });
  });

  test('reads no more of an answer than needed, ends in time, and closes its connection', async () => {
    let open = 0;
    const server = createServer((request, response) => {
      if (request.url === '/endless') {
        const more = () => {
          while (!response.closed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      } else if (request.url === '/slow') response.write('…');
    });
    server.on('connection', (socket) => {
      open++;
      socket.on('close', () => open--);
      socket.on('error', () => undefined);
    });
    const port = await listen(server);
    expect(await look({ target: `http://${outside}:${port}/endless` })).toMatchObject({ outcome: 'ok' });
    expect(await look({ kind: 'keyword', keyword: 'x', target: `http://${outside}:${port}/endless` })).toMatchObject({
      outcome: 'fail',
    });
    const late = await look({ target: `http://${outside}:${port}/slow`, seconds: 0.3 });
    expect(late).toMatchObject({ outcome: 'fail', msg: '0.3 秒内没有回答', network: true });
    await expect.poll(() => open).toBe(0);
  });

  test('by TCP sends no byte, at any port', async () => {
    let heard = '';
    let ended = 0;
    const port = await listen(
      createTcp((socket) => void socket.on('data', (part) => (heard += String(part))).on('close', () => ended++)),
    );
    expect(await look({ kind: 'tcp', target: `${outside}:${port}` })).toMatchObject({ outcome: 'ok' });
    await expect.poll(() => ended).toBe(1);
    expect(heard).toBe('');
    expect(await look({ kind: 'tcp', target: `${outside}:81` })).toMatchObject({
      outcome: 'fail',
      msg: '拒绝连接',
      network: false,
    });
  });

  test('of a certificate reads the one presented, and fails if it is expired or untrusted, unless that is permitted', async () => {
    const files = certificate('steady.example', 6);
    const tls = { key: await readFile(files.key), cert: await readFile(files.cert) };
    const port = await listen(createHttps(tls, (_request, response) => response.end('sealed')) as unknown as Server);
    const target = `https://${outside}:${port}/`;
    const strict = await look({ target });
    expect(strict).toMatchObject({
      outcome: 'fail',
      certificate: { subject: 'steady.example', issuer: 'steady.example' },
    });
    expect(strict.msg).toContain('证书不受信任');
    const mild = await look({ target, ignoreTls: true });
    expect(mild).toMatchObject({ outcome: 'ok', http_code: 200 });
    const days = (mild.certificate!.ends - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(5.9);
    expect(days).toBeLessThan(6.1);
    expect(await look({ kind: 'certificate', target: `${outside}:${port}`, ignoreTls: true })).toMatchObject({
      outcome: 'ok',
      certificate: { ends: mild.certificate!.ends },
    });
    // The certificate at the end of a redirect belongs to another server.
    const plain = await web((_request, response) => response.writeHead(302, { location: target }).end());
    expect(await look({ target: `http://${outside}:${plain}/`, ignoreTls: true })).toMatchObject({
      outcome: 'ok',
      certificate: null,
    });
  });

  test('of a name fails if it does not exist, is unsure without an answer, and does not use the system’s resolver', async () => {
    /** A resolver that answers that `dead.example` does not exist, and is silent about everything else. */
    const resolver = createSocket('udp4');
    let asked = 0;
    resolver.on('message', (query, { port, address }) => {
      asked++;
      if (!query.includes('dead')) return;
      const answer = Buffer.from(query);
      answer.writeUInt16BE(0x8183, 2);
      resolver.send(answer, port, address);
    });
    await new Promise<void>((ready) => resolver.bind(0, inside, ready));
    const names = createNames([`${inside}:${resolver.address().port}`]);
    const by = probes(names);
    expect(await look({ target: 'http://dead.example/' }, by)).toMatchObject({
      outcome: 'fail',
      msg: '找不到 dead.example 的地址',
    });
    expect(asked).toBe(2);
    expect(await look({ kind: 'tcp', target: 'dead.example:25' }, by)).toMatchObject({ outcome: 'fail' });
    expect(asked).toBe(2);
    expect(await look({ target: 'http://silent.example/', seconds: 15 }, by)).toMatchObject({
      outcome: 'unsure',
      network: true,
    });
    resolver.close();
  }, 180_000);

  test('of many hosts by ping is one process, and only if the machine has the program', async () => {
    const program = join(folder, 'fping');
    await writeFile(
      program,
      `#!/bin/sh\necho "$@" >> ${folder}/asked\nshift 4\nfor host; do case $host in *.3) echo "$host : -" >&2;; *) echo "$host : 1.62" >&2;; esac; done\n`,
    );
    await chmod(program, 0o755);
    const by = createProbes({ allow: ['127.0.0.0/24'], fping: program });
    const found = await by.ping([outside, '127.0.0.3', '8.8.8.8 -c5', '10.0.0.1'], 1);
    expect(found.map((one) => one.outcome)).toEqual(['ok', 'fail', 'refused', 'refused']);
    expect(found[0]).toMatchObject({ ms: 2 });
    expect((await readFile(join(folder, 'asked'), 'utf8')).trim()).toBe('-C1 -q -r0 -t1000 127.0.0.2 127.0.0.3');
    expect(await probes().probe({ kind: 'ping', target: outside, seconds: 1 })).toMatchObject({ outcome: 'unsure' });
  });
});
