import { and, desc, eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { castOf } from '#apps/server/testing/school.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { form, save, submit } from '#modules/workflow/tickets/testing/repair.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { tokens } from './contract.ts';
import { sendSigned, type Sending } from './testing/signed.ts';

let running: TestOffice;
let owner: Client;
let repair: number;
let leave: number;
beforeAll(async () => {
  running = await openTestApp();
  const { dept, flowOf } = await castOf(running);
  owner = await running.clerk(
    {
      'system/app_token': ['Create', 'Retrieve', 'Update', 'Delete'],
      'ticket/new': ['Create'],
      'ticket/all': ['Retrieve'],
      'ticket/statistics': ['Retrieve'],
      'system/log': ['Retrieve'],
    },
    { dept, dataScope: 1 },
  );
  [repair, leave] = [await flowOf('it_service'), await flowOf('leave')];
});
afterAll(() => running.close());

const apis = [
  'GET /api/tickets/',
  'POST /api/tickets/',
  'GET /api/tickets/{id}/',
  'GET /api/tickets/jiaobiao/',
  'GET /api/tickets/user_msg/',
  'GET /api/tickets/statistics/',
  'PATCH /api/tickets/{id}/',
];
interface App {
  app: string;
  key: string;
}
let serial = 0;
const token = async (more: object): Promise<App> => {
  const made = await owner.get(tokens.add, { body: { app_name: `对接${++serial}`, apis, ...more } });
  return { app: String(made.id), key: made.key };
};
// Two requests within a millisecond are allowed, but not with the same signature.
let moments = Date.now() - 200_000;
const send = (app: App, sending: Sending) => sendSigned(running.url, app, { time: ++moments, ...sending });
const start = (app: App, workflow_id: number) =>
  send(app, {
    method: 'POST',
    url: '/api/tickets/',
    body: JSON.stringify({ workflow_id, transition_id: submit, suggestion: '', ...form }),
  });
/** Result codes of the calls in the log of an application, the oldest first. */
const logged = async ({ app }: App) => {
  const own = and(
    eq(logTable.object_type, '应用令牌'),
    eq(logTable.object_id, app),
    like(logTable.path, '/api/tickets/%'),
  );
  const rows = await running.db.select({ result: logTable.result }).from(logTable).where(own).orderBy(logTable.id);
  return rows.map((row) => row.result);
};
interface Rows {
  value: { id: number; workflow?: { id: number } }[];
  total: number;
}

test('an application limited to a workflow starts only its tickets, numbered with its prefix', async () => {
  const app = await token({ workflow_ids: [repair], ticket_sn_prefix: 'OA' });
  const made = await start(app, repair);
  expect(made).toMatchObject({ code: 0, data: { sn: expect.stringMatching(/^OA[A-Z]+\d{8,}$/) as string } });
  expect(await start(app, leave)).toMatchObject({ code: 4004 });
  const own = await owner.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, ...form } });
  expect(own.sn).not.toMatch(/^OA/);
});

test('an application limited to a workflow sees only that workflow’s tickets, in lists, details, counts and statistics', async () => {
  const foreign = (await owner.get(tickets.start, { body: { workflow_id: leave, transition_id: save } })).id;
  const own = await owner.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, ...form } });
  const kept = await token({ workflow_ids: [repair] });
  const free = await token({});
  const ids = async (app: App, query = '') =>
    ((await send(app, { url: `/api/tickets/?per_page=100${query}` })).data as Rows).value.map((row) => row.id);
  for (const query of ['', '&category=owner', '&category=relation']) {
    expect(await ids(free, query)).toContain(foreign);
    expect(await ids(kept, query)).not.toContain(foreign);
    expect(await ids(kept, query)).toContain(own.id);
  }
  expect((await send(kept, { url: `/api/tickets/${own.id}/` })).code).toBe(0);
  expect((await send(kept, { url: `/api/tickets/${foreign}/` })).code).toBe(4004);
  const body = JSON.stringify({ transition_id: submit, suggestion: '' });
  expect((await send(kept, { method: 'PATCH', url: `/api/tickets/${foreign}/`, body })).code).toBe(4004);
  const owned = async (app: App) => {
    const counts = (await send(app, { url: '/api/tickets/jiaobiao/' })).data as { by_category: { owner: number } };
    return counts.by_category.owner;
  };
  expect(await owned(free)).toBeGreaterThan(await owned(kept));
  expect((await send(kept, { url: '/api/tickets/statistics/' })).code).toBe(0);
});

test('an application limited to a workflow sees only that workflow, in lists and details, and no notice channels', async () => {
  const { admin } = running;
  const offered = (await admin.get(tokens.grantableApis)).map(({ api }) => api);
  const reads = offered.filter((api) => api.startsWith('GET /api/workflows/'));
  const beyond = [
    'GET /api/workflows/modules/',
    'GET /api/workflows/simple_custom_notices/',
    'GET /api/workflows/custom_notices/',
    ...reads.filter((api) => /user_groups|schedule/.test(api)),
  ];
  expect(beyond.length).toBeGreaterThan(3);
  for (const api of beyond) {
    expect(reads).toContain(api);
    const body = { app_name: `宽${++serial}`, apis: [api], workflow_ids: [repair] };
    expect(await admin.ask(tokens.add, { body })).toMatchObject({ code: -1, msg: expect.stringContaining(api) });
  }
  const about = reads.filter((api) => !beyond.includes(api));
  const made = await admin.get(tokens.add, {
    body: { app_name: '只看报修', apis: about, workflow_ids: [repair], rate_limit: 6000 },
  });
  const kept = { app: String(made.id), key: made.key };
  const list = (await send(kept, { url: '/api/workflows/?per_page=100' })).data as { value: { id: number }[] };
  expect(list.value.map((flow) => flow.id)).toEqual([repair]);
  const ones = about.filter((api) => api.includes('{id}')).map((api) => api.replace('GET ', ''));
  expect(ones.length).toBeGreaterThan(3);
  for (const path of ones) {
    expect((await send(kept, { url: path.replace('{id}', String(repair)) })).code, path).toBe(0);
    expect((await send(kept, { url: path.replace('{id}', String(leave)) })).code, path).toBe(4004);
  }
});

test('every existing workflow is offered as a limit for an application, a deleted one is not', async () => {
  const offered = await owner.get(tokens.grantableWorkflows);
  expect(offered.map(({ id }) => id)).toEqual(expect.arrayContaining([repair, leave]));
  const { total } = await running.admin.get(workflows.list);
  expect(offered).toHaveLength(total);
  await running.services.databases.write(async (tx) => {
    await tx.update(workflowTable).set({ is_deleted: true }).where(eq(workflowTable.id, leave));
    const kept = await tx.services.product.keeping.names(tx, null);
    expect([kept.has(repair), kept.has(leave)]).toEqual([true, false]);
    await tx.update(workflowTable).set({ is_deleted: false }).where(eq(workflowTable.id, leave));
  });
  const stranger = await running.clerk({});
  expect((await stranger.ask(tokens.grantableWorkflows)).code).toBe(4003);
});

test('an application limited to workflows gets no call that ignores the limit, and no unknown workflow', async () => {
  const add = (more: object) => owner.ask(tokens.add, { body: { app_name: `错${++serial}`, apis, ...more } });
  const wide = { apis: ['GET /api/accounts/log/'], workflow_ids: [repair] };
  expect(await add(wide)).toMatchObject({ code: -1, msg: expect.stringContaining('/api/accounts/log/') });
  expect(await add({ workflow_ids: [999_999] })).toMatchObject({ code: -1, msg: expect.stringContaining('999999') });
  const made = await owner.get(tokens.add, { body: { app_name: '先宽后窄', apis: wide.apis } });
  const narrowed = { params: { id: made.id }, body: { workflow_ids: [repair] } };
  expect((await owner.ask(tokens.change, narrowed)).code).toBe(-1);
  for (const body of [{ ticket_sn_prefix: 'oa-1' }, { rate_limit: 0 }, { rate_limit: 1e9 }])
    expect((await add(body)).code).toBe(4000);
});

test('each application has its own rate limit, which requests without its key cannot use up', async () => {
  const [slow, other] = [await token({ rate_limit: 3 }), await token({ rate_limit: 3 })];
  const ask = async (app: App) => (await send(app, { url: '/api/tickets/jiaobiao/' })).code;
  for (let round = 0; round < 5; round++) expect(await ask({ ...slow, key: 'guessed' })).toBe(401);
  expect([await ask(slow), await ask(slow), await ask(slow), await ask(slow)]).toEqual([0, 0, 0, 4029]);
  expect(await ask(other)).toBe(0);
});

test('every call of an application is logged under its name, reads and refusals too', async () => {
  const app = await token({});
  const { app_name: name } = (await owner.get(tokens.list, { query: { per_page: 100 } })).value.find(
    (row) => String(row.id) === app.app,
  )!;
  await send(app, { url: '/api/tickets/?per_page=1' });
  await start(app, repair);
  await send(app, { url: '/api/workflows/' });
  const rows = await running.db
    .select()
    .from(logTable)
    .where(eq(logTable.user_id, owner.userId))
    .orderBy(desc(logTable.id))
    .limit(3);
  expect(rows.map((row) => [row.method, row.result])).toEqual([
    ['GET', 4003],
    ['POST', 0],
    ['GET', 0],
  ]);
  for (const row of rows) expect(row.title).toContain(`应用“${name}”`);
});

test('unsuccessful calls of an application are logged as well, and so is exceeding its rate', async () => {
  const app = await token({ rate_limit: 3 });
  for (const url of ['/api/tickets/999999/', '/api/tickets/?per_page=x', '/api/tickets/?per_page=1'])
    await send(app, { url });
  for (let more = 0; more < 3; more++) expect((await send(app, { url: '/api/tickets/?per_page=1' })).code).toBe(4029);
  expect(await logged(app)).toEqual([4004, 4000, 0, 4029]);
});

test('a wrong signature, a foreign address and a repeated request are logged under the application, up to twenty an hour', async () => {
  const app = await token({});
  const elsewhere = await token({ ip_whitelist: ['10.0.0.0/8'] });
  const url = '/api/tickets/?per_page=1';
  const time = ++moments;
  for (const sending of [{ time }, { time }]) await send(app, { url, ...sending });
  for (let times = 0; times < 21; times++) expect((await send({ ...app, key: 'guessed' }, { url })).code).toBe(401);
  await send(elsewhere, { url });
  expect(await logged(app)).toEqual([0, ...Array<number>(20).fill(401)]);
  expect(await logged(elsewhere)).toEqual([401]);
});

test('an allowed address may be an exact address or a range, also of IPv6, and nonsense is refused', async () => {
  const from = async (ip_whitelist: string[]) => {
    const body = { app_name: `地址${++serial}`, apis, ip_whitelist };
    const made = await owner.ask(tokens.add, { body });
    if (made.code !== 0) return made.code;
    return (await send({ app: String(made.data.id), key: made.data.key }, { url: '/api/tickets/jiaobiao/' })).code;
  };
  expect(await from(['::1', '127.0.0.1'])).toBe(0);
  expect(await from(['::/0'])).toBe(401);
  expect(await from(['0.0.0.0/0'])).toBe(0);
  for (const odd of [
    '127.1',
    '127/8',
    '127.0/16',
    '0177.0.0.0/8',
    '127.0.0.0/08x',
    '0x7f.0.0.1',
    '127.0.0.1/33',
    '::1/129',
    '1.2.3.4/-1',
    '1.2.3.4/',
  ])
    expect(await from([odd]), odd).toBe(4000);
});
