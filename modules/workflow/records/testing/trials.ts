import { eq } from 'drizzle-orm';
import { boolean, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { call, signedIn } from '#kernel/contract/call.ts';
import { id, idParams, name } from '#kernel/contract/shapes.ts';
import { titled } from '#kernel/contract/titles.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { recordColumns } from '#kernel/server/db/columns.ts';
import { seedMenus } from '#modules/platform/access/seed.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { straight } from '#modules/workflow/workflows/engine/straight.ts';
import { addWorkflows, type WorkflowSeed } from '#modules/workflow/workflows/seed.ts';
import { approvalRow, recordCalls } from '../contract.ts';
import { changesOf, flowByKey, heldBy, record, recordHandlers } from '../service.ts';
import { approvalColumns, changeColumns } from '../tables.ts';

// 请购单: the smallest approval record there is, with changes. Its tables exist only in the database of its test.
export const trialTable = pgTable('trial', {
  ...recordColumns(),
  ...approvalColumns(),
  title: varchar('title', { length: 100 }).notNull(),
  amount: integer('amount').notNull().default(0),
  number: varchar('number', { length: 20 }).notNull().default(''),
  why: text('why').notNull().default(''),
  is_secret: boolean('is_secret').notNull().default(false),
  turns: integer('turns').notNull().default(0),
});
export const trialChangeTable = pgTable(
  'trial_change',
  {
    ...recordColumns(),
    ...changeColumns(),
    record_id: integer('record_id').notNull(),
  },
  (t) => [uniqueIndex('trial_change_pending').on(t.record_id)],
);
const moments = `id int primary key generated always as identity, version int not null default 0,
  gmt_created timestamptz not null default now(), gmt_modified timestamptz not null default now(),
  creator_id int not null, dept_id int, ticket_id int unique, act_state smallint not null default 0, is_refused boolean not null default false, search tsvector not null default ''`;
const schema = `
  create table trial (${moments}, title varchar(100) not null, amount int not null default 0, number varchar(20) not null default '',
    why text not null default '', is_secret boolean not null default false, turns int not null default 0);
  create table trial_change (${moments}, record_id int not null references trial, was jsonb not null default '{}',
    becomes jsonb not null default '{}', reason text not null default '', is_deleted boolean not null default false);
  create unique index trial_change_pending on trial_change (record_id) where not is_deleted and act_state in (0, 1, 2, 3, 6);`;

export const tooDear = refusal(codes.refused, (amount: number) => `金额 ${amount} 超出预算，请修改后再提交`);
export const Trial = z.object({
  title: name(100).meta({ title: '事由' }),
  amount: z.number().int().min(0).meta({ title: '金额' }),
  why: z.string().max(2000).default('').meta({ title: '用途' }),
});
const row = z.object({ ...Trial.shape, ...approvalRow, number: z.string(), turns: z.int(), is_secret: z.boolean() });

/** A limit from outside, which a test changes between submission and the last agreement. */
export const budget = { most: 1000, opened: [] as number[] };
/** The events at which its faults were asked. */
export const asked: string[] = [];

export const trials = record({
  module: 'trials',
  noun: '请购单',
  page: (id) => `/trial/detail/${id}`,
  table: trialTable,
  scope: 'trial/list',
  related: ({ user }) => (budget.opened.includes(user.id) ? eq(trialTable.act_state, 4) : undefined),
  recipients: true,
  named: eq(trialTable.is_secret, false),
  long: ['why'],
  content: (tx, row) => heldBy(tx, Trial, { ...row }, {}),
  flow: flowByKey('trial', '请购单'),
  fills: { title: (row) => row.title, nothing: () => undefined },
  search: (row) => ({ codes: [row.number], texts: [row.title] }),
  faults(_tx, { amount }, { at }) {
    asked.push(at);
    if (amount > budget.most) throw tooDear(amount);
    return amount === 0 ? [{ field: 'amount', label: '金额', msg: '请填写' }] : [];
  },
  on: {
    approved: (_tx, { id, number }) => ({ number: number || `QG-${id}` }),
    // It sees what the event set, and the record as it was before.
    turned: (_tx, { number, turns }, { turn }, before) => ({
      turns: turn.by !== null && number !== before.number ? turns + 1 : turns,
    }),
  },
  guard: ({ title }) => (title === '封存' ? tooDear(0) : null),
  card: ({ title, number }, inside) => ({ title, ...(number && { sn: number }), ...(!inside && { state: '已给出' }) }),
  log: (row) => ({ title: row.title, sn: row.number, facts: titled(Trial, { ...row }) }),
});
export const told: string[] = [];
export const trialChanges = changesOf(trials, {
  module: 'trial_changes',
  noun: '请购变更',
  page: (id) => `/trial/change/${id}`,
  table: trialChangeTable,
  onePending: 'trial_change_pending',
  flow: flowByKey('trial_change', '请购变更'),
  fills: { title: (change) => `变更：${change.reason}` },
  faults: (_tx, { amount }) => {
    if (amount > budget.most) throw tooDear(amount);
  },
  after: (_tx, next, before) => void told.push(`${before.amount} → ${next.amount}`),
});

const path = '/api/trial/' as const;
export const trialCalls = {
  ...recordCalls(path, {
    noun: '请购单',
    page: 'trial/list',
    input: Trial,
    once: { is_secret: z.boolean().default(false) },
    writing: '填写请购单',
    row,
    detail: row,
    sort: ['gmt_created'],
  }),
  change: call({
    method: 'PUT',
    path: `${path}{id}/change/`,
    access: signedIn,
    summary: '变更请购单',
    params: idParams,
    body: Trial.partial().extend({ reason: name(200).meta({ title: '原因' }), change_id: id.optional() }),
    reply: z.object({ id: z.number().int(), act_state: z.number().int() }),
  }),
};

const flow = (key: string, module: string): WorkflowSeed => ({
  key,
  name: key,
  description: '',
  icon: '',
  category: '',
  module,
  definition: straight({
    name: key,
    steps: [{ key: 'office', name: '办公室审核', roles: ['office_admin'], more: { actions: ['return', 'retreat'] } }],
    prefix: key.slice(-6).toUpperCase(),
  }),
});

const module = implement('trials', trialCalls, {
  ...recordHandlers(trialCalls, trials, {}),
  async change({ params, body: { reason, change_id, ...wanted } }, context) {
    const { tx, user } = context;
    const viewer = await trials.viewerOf(tx, user);
    const words = { submit: true };
    if (change_id === undefined)
      return trialChanges.propose(context, await trials.requireForUpdate(tx, viewer, params.id), wanted, reason, words);
    const change = await trialChanges.requireToWrite(context, viewer, change_id, { act: '修改' });
    return trialChanges.rewrite(context, change, wanted, reason, words);
  },
});

/** An office with 请购单, people who write them and people who approve them. */
export async function openTrials() {
  const { records, ...brings } = trials.brings;
  const bringing = { ...brings, servers: () => [module], records: { ...records, ...trialChanges.brings.records } };
  const app = await openTestApp({ modules: [bringing] });
  const { databases } = app.services;
  await databases.pool.query(schema);
  await databases.write(async (tx) => {
    await seedMenus(
      tx,
      [
        { key: 'trial', parent: 'ticket', title: '请购', path: 'trial', icon: 'ShopOutlined', order: 990, codes: [] },
        {
          key: 'trial/list',
          parent: 'ticket',
          title: '请购单',
          path: 'trials',
          icon: 'ShopOutlined',
          order: 991,
          codes: ['Create', 'Retrieve'],
        },
      ],
      [],
    );
    await addWorkflows(tx, [flow('trial', 'trials'), flow('trial_change', 'trial_changes')], 900);
  });
  const dept = await app.dept('采购处');
  const staff = (dataScope = 5) => app.clerk({ 'trial/list': ['Create', 'Retrieve'] }, { dept, dataScope });
  const office = await app.signIn(await app.person({ alias: '办公室', roles: ['office_admin'] }));
  const decide = (ticket: number, transition_id: number, who: Client = office) =>
    who.ask(tickets.handle, { params: { id: ticket }, body: { transition_id, suggestion: '已阅' } });
  return {
    app,
    office,
    staff,
    dept,
    agree: (ticket: number) => decide(ticket, 3),
    refuse: (ticket: number) => decide(ticket, 4),
    close: () => app.close(),
  };
}
