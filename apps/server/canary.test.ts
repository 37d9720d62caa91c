import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { WebSocket } from 'ws';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { openLog } from '#kernel/server/log/log.ts';
import { messages, socketPath } from '#modules/platform/messages/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { tokens } from '#modules/platform/tokens/contract.ts';
import { apiOf, isGrantable, keepsToWorkflows } from '#modules/platform/tokens/identity.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import type { Client, TestOffice } from './testing.ts';
import { cast, confidential, number, plant, plantSecrets, secrets, song, type Cast } from './testing/canaries.ts';
import { crawl, signedFetch, singles, wholes, type Fetch, type Heard } from './testing/crawl.ts';
import { everyGrant, openWalk, unlimited } from './testing/walk.ts';

vi.setConfig({ testTimeout: unlimited, hookTimeout: unlimited });

/** The planted records are the first of their kinds. */
const ids = 8;

let app: TestOffice;
let mounted: readonly Mounted[];
let people: Cast;
let read: string[];
/** None of these is involved in the person's records; some hold every right there is, within their own department. */
let outsiders: Record<string, Fetch>;
let before: Record<string, Heard[]>;
let after: Record<string, Heard[]>;
const windows: Record<string, { words: { changed: string[] }[]; socket: WebSocket }> = {};
const logged: string[] = [];
const askBy =
  (who: Client): Fetch =>
  (path) =>
    who.send(path);

async function application(): Promise<Fetch> {
  const flows = (await app.admin.get(workflows.list)).value;
  const other = flows.find((flow) => flow.key !== 'it_service')!.id;
  const apis = mounted
    .filter(({ call }) => call.method === 'GET' && isGrantable(call) && keepsToWorkflows(call))
    .map(({ call }) => apiOf(call));
  const body = { app_name: '别的流程', apis, workflow_ids: [other], rate_limit: 6000 };
  return signedFetch(app.url, await app.admin.get(tokens.add, { body }));
}

async function openWindow(name: string, who: Client): Promise<void> {
  const { ticket } = await who.get(messages.ticket);
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}${socketPath}?ticket=${ticket}`, {
    origin: app.url,
  });
  const words: { changed: string[] }[] = [];
  socket.on('message', (data: Buffer) => words.push(JSON.parse(data.toString()) as { changed: string[] }));
  await once(socket, 'open');
  await eventually(() => expect(words).toHaveLength(1));
  windows[name] = { words, socket };
}

beforeAll(async () => {
  const log = openLog('trace', { write: (line: string) => void logged.push(line) });
  ({ app, mounted } = await openWalk({ log }));
  people = await cast(app);
  const chief = await app.clerk(await everyGrant(app), { dept: await app.dept('别的部门'), dataScope: 3 });
  outsiders = {
    stranger: askBy(app.stranger),
    colleague: askBy(people.second),
    outsider: askBy(people.stranger),
    chief: askBy(chief),
    application: await application(),
  };
  const inside = { colleague: people.second, outsider: people.stranger, chief, staff: people.staff };
  for (const [name, who] of Object.entries(inside)) await openWindow(name, who);
  await plantSecrets(app);
  before = await heardBy(outsiders, wholes(mounted, song));
  read = await plant(app, people);
  after = await heardBy(outsiders, wholes(mounted, song));
});
afterAll(async () => {
  for (const { socket } of Object.values(windows)) socket.terminate();
  await app.close();
});

async function heardBy(who: Record<string, Fetch>, paths: readonly string[]): Promise<Record<string, Heard[]>> {
  const heard: Record<string, Heard[]> = {};
  for (const [name, ask] of Object.entries(who)) heard[name] = await crawl(ask, paths);
  return heard;
}
/** Failed searches are shown to the managers of papers, separately and on the whole page; this test searches for the planted words. */
const soughtInVain = ({ path }: Heard) => path.startsWith('/api/folder/statistics/?') && !/dim=(?!miss)/.test(path);
/** Everybody may know that a room is taken and that a leader is busy, but not with what. */
const openToAll = /^\/api\/(meet\/(day|is_apply|calendar)|leader\/(leader_index|busy)|leader_index)\//;
const changedForAll = ['meet', 'leader'];
const found = (heard: Heard, words: readonly string[]) => words.filter((word) => heard.text.includes(word));

test('each planted word is read by the people it concerns, so that this test would notice a leak', async () => {
  const paths = [...wholes(mounted, song), ...singles(mounted, ids)];
  const insiders = { staff: askBy(people.staff), admin: askBy(app.admin) };
  const all = Object.values(await heardBy(insiders, paths)).flat();
  expect(read.filter((word) => !all.some((heard) => heard.text.includes(word)))).toEqual([]);
  expect(all.filter((heard) => found(heard, secrets).length > 0).map((heard) => heard.path)).toEqual([]);
});

test('nobody else reads a planted word or the number, wherever they look', async () => {
  const records = await heardBy(outsiders, singles(mounted, ids));
  for (const [name, heard] of Object.entries(after))
    expect(
      [...heard, ...records[name]!]
        .filter((one) => !soughtInVain(one))
        .flatMap((one) => found(one, [song, number]).map((word) => `${name} reads ${word} at ${one.path}`)),
    ).toEqual([]);
});

test('no count, badge, list or report of other people reveals that there is something new', async () => {
  // Their own actions are in the log; the time of their last visit is in their sessions and application.
  const own = /^\/api\/accounts\/(log|sessions|app_token)\//;
  // Positions of events count all events of the institution, like the numbers of tickets (decision 0070).
  const plain = ({ text }: Heard) =>
    text
      .replace(/"cursor":\d+/g, '')
      .replace(/\?u=\d+&e=\d+&s=[\w-]+/g, '')
      .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?/g, '');
  for (const [name, heard] of Object.entries(after)) {
    const was = new Map(before[name]!.map((one) => [one.path, plain(one)]));
    const changed = heard.filter(
      (one) =>
        !own.test(one.path) && !openToAll.test(one.path) && !soughtInVain(one) && plain(one) !== was.get(one.path),
    );
    expect(changed.map((one) => `${name}: ${one.path} ${was.get(one.path)} → ${one.text}`)).toEqual([]);
  }
});

test('the sockets of other people stay silent', async () => {
  await eventually(() => expect(windows['staff']!.words.length).toBeGreaterThan(1));
  // A message to everybody arrives after everything that was sent before it.
  await app.services.databases.write((tx) => tx.execute(`select pg_notify('changes', '0:1000000:end')`));
  for (const name of ['colleague', 'outsider', 'chief']) {
    const { words } = windows[name]!;
    await eventually(() => expect(words.at(-1)!.changed).toEqual(['end']));
    expect(
      words.slice(1).flatMap((word) => word.changed.filter((topic) => !changedForAll.includes(topic))),
      name,
    ).toEqual(['end']);
  }
});

test('the operation log, messages and deliveries keep nothing of a secret document', async () => {
  const kept = await app.db.$client.query<{ said: string }>(`
    select title || diff::text said from log union all select title || content from msg
    union all select title || body::text from delivery`);
  expect(kept.rows.length).toBeGreaterThan(20);
  const told = kept.rows.map(({ said }) => said);
  // A word that continues with further letters is another one.
  const leaks = confidential.filter((word) => told.some((said) => new RegExp(`${word}(?![a-z])`).test(said)));
  expect(leaks).toEqual([]);
});

test('the server’s log contains no secret and no whole number, whatever failed while handling them', async () => {
  await app.services.databases.pool.query(`
    create function broken() returns trigger language plpgsql as $$ begin raise 'broken for %', new.phone; end $$;
    create trigger broken before insert on app_user for each row execute function broken()`);
  const newcomer = { username: 'newcomer', alias: '新人', dept: people.dept, phone: number, password: secrets[0]! };
  expect((await app.admin.ask(users.create, { body: newcomer as never })).code).toBe(codes.fault);
  expect(logged.filter((line) => line.includes('call failed') && line.includes('insert into'))).not.toEqual([]);
  expect(logged.filter((line) => [...secrets, number].some((word) => line.includes(word)))).toEqual([]);
});
