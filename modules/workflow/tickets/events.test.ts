import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { deliveries } from '#modules/platform/deliveries/contract.ts';
import { signature } from '#modules/platform/deliveries/signing.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { tokens } from '#modules/platform/tokens/contract.ts';
import { sendSigned } from '#modules/platform/tokens/testing/signed.ts';
import type { TicketEvent } from './contract/events.ts';
import { actOnTicket } from './service.ts';
import { purgeEvents } from './stream/placing.ts';
import { pushEvents } from './stream/pushing.ts';
import { headAgrees, repairCast, save, submit, type RepairCast } from './testing/repair.ts';
import { tickets } from './contract.ts';

let app: TestOffice;
let cast: RepairCast;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  cast = await repairCast(app);
}, 60_000);
beforeEach(() => {
  receiver.letters.length = 0;
  receiver.answer = { status: 200, body: '' };
});
afterAll(async () => {
  await app.close();
  receiver.close();
});

interface Reply {
  value: TicketEvent[];
  cursor: number;
  more: boolean;
}
const api = 'GET /api/tickets/events/';
let serial = 0;
const application = async (owner: Client, more: object = {}) => {
  const body = { app_name: `对接${++serial}`, apis: [api], rate_limit: 6000, ...more };
  const made = await owner.get(tokens.add, { body });
  return { app: String(made.id), id: made.id, key: made.key };
};
// Two requests in the same millisecond would have the same signature.
let moment = 0;
const ask = (of: { app: string; key: string }, query: string) =>
  sendSigned(app.url, of, { url: `/api/tickets/events/${query}`, time: (moment = Math.max(moment + 1, Date.now())) });
async function read(of: { app: string; key: string }, query = ''): Promise<Reply> {
  const answer = await ask(of, query);
  expect(answer.msg).toBe('成功');
  return answer.data as Reply;
}
/** All events after a cursor. */
async function readOn(of: { app: string; key: string }, after: number): Promise<Reply> {
  const value: TicketEvent[] = [];
  for (let cursor = after; ;) {
    const page = await read(of, `?after=${cursor}&limit=7`);
    value.push(...page.value);
    cursor = page.cursor;
    if (!page.more) return { value, cursor, more: false };
  }
}
const lastOf = async (of: { app: string; key: string }) =>
  (await readOn(of, (await read(of, '?limit=1')).cursor)).cursor;
const tokenKeeper = () =>
  app.clerk({ 'system/app_token': ['Create', 'Retrieve', 'Update', 'Delete'], 'ticket/new': ['Create'] });
const nameOf = ({ ticket_id, seq }: { ticket_id: number; seq: number }) => `${ticket_id}:${seq}`;

test('fifty concurrent writers and a slow transaction leave no gap in the events and keep their order', async () => {
  const reader = await application(app.admin);
  const before = await lastOf(reader);
  const slow = await cast.begin({ title: '慢的一张' });
  const person = (await personWithRights(app.db, cast.head.userId))!;
  const origin = { ip: '', userAgent: '', traceId: '' };
  let held = true;
  const action = { type: 'comment', suggestion: '写得早，提交得晚', people: [] } as const;
  let written = () => undefined as void;
  const isWritten = new Promise<void>((done) => (written = done));
  const slowly = app.services.databases.write(async (tx) => {
    await actOnTicket({ tx, user: viewerOf(person, 0), now: new Date(), origin }, slow.id, action);
    written();
    // An idle transaction would be cancelled.
    while (held) await tx.execute(sql`select pg_sleep(0.1)`);
  });
  await isWritten;

  let over = false;
  const live: TicketEvent[] = [];
  let cursor = before;
  const reading = (async () => {
    while (!over) {
      const answer = await ask(reader, `?after=${cursor}&limit=5`);
      if (answer.code === 503) continue;
      const page = answer.data as Reply;
      live.push(...page.value);
      cursor = page.cursor;
    }
  })();
  /** On a slow machine too many requests run at once and are refused. */
  const patiently = async <A extends { code: number; msg: string }>(asking: () => Promise<A>): Promise<A> => {
    for (;;) {
      const answer = await asking();
      if (answer.code === 0) return answer;
      expect([answer.code, answer.msg]).toEqual([503, expect.any(String)]);
      await new Promise((done) => setTimeout(done, 200));
    }
  };
  const people = [cast.staff, cast.helper, cast.second];
  const begun: number[] = [];
  const logOf = async () => {
    const { rows } = await app.db.$client.query<{ ticket_id: number; seq: number }>(
      'select ticket_id, seq from ticket_log where ticket_id = any($1::int[])',
      [[slow.id, ...begun]],
    );
    return rows.map(nameOf).toSorted();
  };
  try {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const body = { workflow_id: cast.repair, transition_id: submit, title: `并发 ${index}`, ...fields };
        const { data } = await patiently(() => people[index % 3]!.ask(tickets.start, { body }));
        begun.push(data.id);
        await patiently(() => cast.does(cast.head, data.id, headAgrees));
      }),
    );
    const committed = await logOf();
    expect(committed.length).toBeGreaterThanOrEqual(101);
    // Uncommitted events do not hold up committed ones.
    await eventually(() => expect(live.map(nameOf).toSorted()).toEqual(committed));
    held = false;
    await slowly;
    await eventually(() => expect(live.at(-1)?.suggestion).toBe(action.suggestion));
  } finally {
    held = false;
    over = true;
    await Promise.all([slowly, reading]);
  }
  expect(live.map(nameOf).toSorted()).toEqual(await logOf());
  // No position is missing, and each ticket's events come in the order of its log.
  expect(live.map((event) => event.position)).toEqual(live.map((_, index) => before + 1 + index));
  for (const of of Map.groupBy(live, (event) => event.ticket_id).values())
    expect(of.map((event) => event.seq)).toEqual(of.map((_, index) => index + 1));
  // Reading again from any cursor returns the same events.
  const half = live[40]!.position;
  expect((await readOn(reader, half)).value).toEqual(live.slice(41));
}, 300_000);

const fields = { category: 'network', place: '一号楼 301', urgency: 'urgent', description: '洗手池' };

test('an event says which action was taken by whom, from which state to which, and who is asked now', async () => {
  const reader = await application(app.admin);
  const after = await lastOf(reader);
  const { id } = await cast.begin({ title: '投影仪坏了' });
  await cast.does(cast.head, id, headAgrees, { suggestion: '请尽快' });
  const { value } = await readOn(reader, after);
  expect(value[0]).toMatchObject({
    ticket_id: id,
    seq: 1,
    title: '投影仪坏了',
    actor: cast.staff.username,
    asked: [cast.head.username],
    act_state_id: 1,
    via: '',
  });
  expect(value[1]).toMatchObject({ seq: 2, action: 'handle', actor: cast.head.username, suggestion: '请尽快' });
  expect(value[1]!.from_state.id).not.toBe(value[1]!.to_state.id);
  expect(JSON.stringify(value)).not.toContain('洗手池');
});

test('an application reads only the events that its owner may see, limited to its chosen workflows', async () => {
  const owner = await tokenKeeper();
  const [own, kept, all] = [
    await application(owner),
    await application(app.admin, { workflow_ids: [cast.leave] }),
    await application(app.admin),
  ];
  const after = await lastOf(all);
  const { id } = await cast.begin({ title: '别人的' });
  const mine = await owner.get(tickets.start, {
    body: { workflow_id: cast.repair, transition_id: save, title: '自己的', ...fields },
  });
  const heard = async (of: { app: string; key: string }) =>
    (await readOn(of, after)).value.map((event) => event.ticket_id);
  expect(await heard(own)).toEqual([mine.id]);
  expect(await heard(kept)).toEqual([]);
  // Nobody is told of somebody else's draft.
  expect(await heard(all)).toEqual([id]);
  // The cursor advances even if nothing is visible.
  expect((await readOn(kept, after)).cursor).toBe(await lastOf(all));
  await owner.get(tickets.remove, { params: { id: mine.id } });
  expect((await readOn(own, after)).value.at(-1)).toMatchObject({ ticket_id: mine.id, action: 'delete' });
});

test('a request without a valid signature, or by an application without this permission, reads no events', async () => {
  const reader = await application(app.admin);
  expect((await ask({ ...reader, key: 'wrong' }, '')).code).toBe(401);
  const other = await application(app.admin, { apis: ['GET /api/tickets/'] });
  expect((await ask(other, '')).code).toBe(4003);
  expect((await ask(reader, '?limit=501')).code).toBe(4000);
});

test('a cursor older than the kept events restarts at their beginning and is told so', async () => {
  const reader = await application(app.admin);
  const begin = (await read(reader, '?limit=1')).value[0]!.position;
  for (const title of ['旧的', '新的']) await cast.begin({ title });
  const last = await lastOf(reader);
  const { pool, write } = app.services.databases;
  await pool.query(`begin; alter table ticket_log disable trigger ticket_log_append_only;
    update ticket_log set at = at - interval '4000 days' where id in
      (select log_id from ticket_event where position between ${begin} and ${last - 2} or position = ${last}); commit`);
  await write(purgeEvents);
  // The last one is old too, but an earlier one is kept.
  const kept = await read(reader);
  expect(kept.value.map((event) => event.position)).toEqual([last - 1, last]);
  const late = await ask(reader, `?after=${begin}`);
  expect([late.code, late.msg]).toEqual([
    -1,
    `游标 ${begin} 之后的事件有一部分已过保留期，请核对工单后从 ${last - 2} 继续读取（after=${last - 2}）`,
  ]);
  expect((await read(reader, `?after=${last - 2}`)).value).toHaveLength(2);
  expect((await ask(reader, `?after=${last + 1}`)).msg).toContain('可能恢复过备份');
});

test('events are delivered to an address in order and signed; a failed delivery holds back the following ones', async () => {
  const { write } = app.services.databases;
  const body = { push_url: `${receiver.url}events`, apis: ['GET /api/tickets/'] };
  const owner = app.admin;
  expect((await owner.ask(tokens.add, { body: { app_name: '推送', ...body } })).msg).toContain(api);
  const pushed = await application(owner, { push_url: body.push_url });
  await write(pushEvents);
  expect(receiver.letters).toHaveLength(0);
  receiver.answer = { status: 500, body: '' };
  const first = await cast.begin({ title: '第一张' });
  await write(pushEvents);
  await eventually(() => expect(receiver.letters.length).toBeGreaterThan(0));
  const waiting = async () =>
    (await owner.get(deliveries.list, { query: { channel: 'hook', search_value: '工单事件' } })).value;
  await eventually(async () => expect((await waiting())[0]?.state).toBe('retrying'));
  const second = await cast.begin({ title: '第二张' });
  await write(pushEvents);
  expect(await waiting()).toHaveLength(1);
  receiver.answer = { status: 200, body: '' };
  await owner.get(deliveries.resend, { params: { id: (await waiting())[0]!.id } });
  await eventually(async () => expect((await waiting())[0]?.state).toBe('sent'));
  await write(pushEvents);
  const said = (ticket: number) => receiver.letters.find((letter) => letter.body.includes(`"ticket_id":${ticket},`));
  await eventually(() => expect(said(second.id)).toBeDefined());
  const letters = receiver.letters.map((letter) => JSON.parse(letter.body) as { type: string; data: Reply });
  // The first is repeated until it arrives, and only then comes the next.
  expect(new Set(letters.map(({ type }) => type))).toEqual(new Set(['ticket.events']));
  const told = letters.map(({ data }) => data.value.map((event) => event.ticket_id));
  expect(told).toEqual([...told.slice(0, -1).map(() => [first.id]), [second.id]]);
  expect(told.length).toBeGreaterThanOrEqual(3);
  const { headers, body: sent } = receiver.letters.at(-1)!;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${sent}`;
  expect(headers['webhook-signature']).toBe(signature(pushed.key, signed));
  await eventually(async () => expect((await waiting()).map((row) => row.state)).toEqual(['sent', 'sent']));
  // While stopped it receives nothing; when resumed, what it missed.
  await owner.get(tokens.change, { params: { id: pushed.id }, body: { status: false } });
  const third = await cast.begin({ title: '第三张' });
  await write(pushEvents);
  expect(await waiting()).toHaveLength(2);
  await owner.get(tokens.change, { params: { id: pushed.id }, body: { status: true } });
  await write(pushEvents);
  await eventually(() => expect(said(third.id)).toBeDefined());
}, 60_000);
