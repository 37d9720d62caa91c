import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { addWeb } from '#apps/server/web.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import { openingAddress } from './discovery.ts';
import { isProven, proofKey } from './proof.ts';
import { keyPair, openDiscovery, proofHeaders, setEditor } from './testing/discovery.ts';
import { send } from './testing/editor.ts';

let app: TestOffice;
let editor: Awaited<ReturnType<typeof openDiscovery>>;
beforeAll(async () => {
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  editor = await openDiscovery();
}, 180_000);
afterAll(async () => {
  await app.close();
  await editor.close();
});

async function placeOf(name: string): Promise<number> {
  const file = await send(app.admin, '内容', name);
  const { id } = await app.admin.get(documents.create, {
    body: { doc_kind: 1, title: '草稿', attachments: [file] },
  });
  return (await app.admin.get(documentFiles.attachments, { query: { document_id: id } })).value[0]!.id;
}
const open = (id: number, view?: boolean) =>
  app.admin.get(documentFiles.open, { params: { id }, query: view ? { view } : {} });
const setUp = (url: string) => setEditor(app, url);

test('an editor is offered only where one is configured, reachable and able to open the kind of file', async () => {
  const [text, sheet] = [await placeOf('a.txt'), await placeOf('a.csv')];
  const none = { editor_url: '', access_token: '', access_token_ttl: 0, may_write: true };
  expect(await open(text)).toMatchObject({ ...none, editor_note: '' });
  editor.told.down = true;
  await setUp(`${editor.url}/`);
  expect(await open(text)).toMatchObject({
    ...none,
    editor_note: expect.stringContaining('暂时无法连接') as string,
  });
  editor.told.down = false;
  await setUp(editor.url);
  const source = (id: number) => `WOPISrc=${encodeURIComponent(`${app.url}/api/wopi/files/${id}`)}`;
  expect((await open(text)).editor_url).toBe(`${editor.url}/edit/cool.html?${source(text)}`);
  expect((await open(text, true)).editor_url).toBe(`${editor.url}/view?ui=zh-CN&${source(text)}`);
  // Its edit address is on another origin, which the browser must not visit.
  expect((await open(sheet)).editor_url).toBe(`${editor.url}/sheet?mode=view&${source(sheet)}`);
  const asked = editor.told.asked;
  await open(text);
  expect(editor.told.asked).toBe(asked);
  expect(openingAddress('https://a.example/x', 's')).toBe('https://a.example/x?WOPISrc=s');
});

test('a request not signed by the editor is refused, whichever part was altered', async () => {
  const [current, old, foreign] = [keyPair(), keyPair(), keyPair()];
  editor.useKeys(current.publicKey, old.publicKey);
  await setUp(`${editor.url}/`);
  const id = await placeOf('b.txt');
  const { access_token: token } = await open(id);
  const path = (part = '') => `${app.url}/api/wopi/files/${id}${part}?access_token=${token}&access_token_ttl=0`;
  const keys = { current: current.privateKey, old: old.privateKey };
  const status = async (url: string, headers: Record<string, string>) => (await fetch(url, { headers })).status;
  const signed = (url: string, at?: Date) => proofHeaders({ token, url }, keys, at);
  expect(await status(path(), signed(path()))).toBe(200);
  expect(await status(path('/contents'), signed(path('/contents')))).toBe(200);
  expect(await status(path(), {})).toBe(500);
  expect(await status(path('/contents'), signed(path()))).toBe(500);
  expect(await status(path(), { ...signed(path()), 'x-wopi-timestamp': '1' })).toBe(500);
  expect(await status(path(), signed(path(), new Date(Date.now() - 21 * 60_000)))).toBe(500);
  const byOthers = { current: foreign.privateKey, old: foreign.privateKey };
  expect(await status(path(), proofHeaders({ token, url: path() }, byOthers))).toBe(500);
  // While keys change, one side may know only the older or only the newer key.
  const behind = { current: keys.old, old: foreign.privateKey };
  expect(await status(path(), proofHeaders({ token, url: path() }, behind))).toBe(200);
  const ahead = { current: foreign.privateKey, old: keys.current };
  expect(await status(path(), proofHeaders({ token, url: path() }, ahead))).toBe(200);
  const own = `${app.url}/api/document/file_wopi/${id}/?access_token=${token}`;
  expect([await status(own, {}), await status(own, signed(own))]).toEqual([500, 200]);
});

test('an editor that begins to sign has its keys fetched, and from then on unsigned requests are refused', async () => {
  editor.told.keys = '';
  await setUp(editor.url);
  const id = await placeOf('c.txt');
  const { access_token: token } = await open(id);
  const url = `${app.url}/api/wopi/files/${id}?access_token=${token}`;
  const status = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  expect(await status({})).toBe(200);
  const [current, old, foreign] = [keyPair(), keyPair(), keyPair()];
  editor.useKeys(current.publicKey, old.publicKey);
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 60_000);
  try {
    const by = (pair: typeof current) =>
      proofHeaders({ token, url }, { current: pair.privateKey, old: pair.privateKey }, new Date());
    expect(await status(by(foreign))).toBe(500);
    expect([await status(by(current)), await status({})]).toEqual([200, 500]);
  } finally {
    later.mockRestore();
  }
});

test('a proof is valid only for the bytes it was made over, for twenty minutes', () => {
  const { publicKey, privateKey } = keyPair();
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const key = proofKey(Buffer.from(n, 'base64url').toString('base64'), Buffer.from(e, 'base64url').toString('base64'))!;
  const at = new Date('2026-11-21T08:00:00Z');
  const asked = { token: '令牌', url: 'https://office.example/api/wopi/files/1?access_token=x' };
  const headers = proofHeaders(asked, { current: privateKey, old: privateKey }, at);
  const signed = { ...asked, time: headers['x-wopi-timestamp'], proof: headers['x-wopi-proof'], proofOld: undefined };
  const holds = (change: object, minutes = 0) =>
    isProven({ current: key, old: null }, { ...signed, ...change }, new Date(at.getTime() + minutes * 60_000));
  expect([holds({}), holds({ url: asked.url.toUpperCase() }), holds({}, 20), holds({}, 21), holds({}, -21)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  for (const change of [
    { token: 'x' },
    { url: `${asked.url}&a` },
    { time: '9'.repeat(19) },
    { time: '' },
    { proof: '' },
    { proof: 'AAAA' },
  ])
    expect(holds(change), JSON.stringify(change)).toBe(false);
  expect(proofKey('', '')).toBeNull();
});

test('the page may embed and post to the editor only, and only where one is configured', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gongdan-page-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  let origin: string | null = null;
  const server = Fastify();
  await addWeb(server, folder, async () => origin);
  const policy = async () => String((await server.inject('/document/list')).headers['content-security-policy'] ?? '');
  try {
    expect(await policy()).toBe('');
    origin = 'https://office.example';
    const rules = (await policy()).split('; ');
    expect(rules).toContain("form-action 'self' https://office.example");
    expect(rules).toContain("frame-src 'self' https://office.example");
    expect(rules.filter((rule) => rule.includes('office.example'))).toHaveLength(2);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
