import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { timeoutAction } from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from './contract.ts';
import { actOnOverdue } from './automation/overdue.ts';
import { addFlow } from './testing/flow.ts';
import { repairCast, submit } from './testing/repair.ts';
import { stop } from './testing/stop.ts';
import { actOnTimers } from './automation/timers.ts';

const app = await openTestApp();
const cast = await repairCast(app);
const { staff, head, helper } = cast;
afterAll(() => app.close());

const soon = 4;
const hour = 3_600_000;
/** Two states, each with a deadline of four hours and then a reminder, or a timer of four hours; the first confirms the end if requested. */
async function flowOf(key: string, clock: 'deadline' | 'timer', label: Record<string, string> = {}): Promise<number> {
  const timeout = { hours: soon, working_time: false, action: timeoutAction.remind };
  const timer = clock === 'timer' ? soon * 3600 : 0;
  const asks = (id: number, user: number, more: object = {}): DefinitionInput['states'][number] => ({
    id,
    key: `asks${id}`,
    name: `环节 ${id}`,
    kind: 'approve',
    order: id,
    participants: [{ type: 1, user }],
    ...(clock === 'deadline' ? { timeout } : {}),
    ...more,
  });
  return addFlow(app, key, {
    name: key,
    fields: [],
    settings: { title_template: '{workflow}', number_rule: { prefix: key.toUpperCase(), digits: 4, period: 'day' } },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      asks(2, head.userId, { label }),
      asks(3, helper.userId),
      { id: 4, key: 'end', name: '结束', kind: 'end', order: 4 },
    ],
    transitions: [
      { id: submit, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 3, key: 'first', name: '同意', source: 2, destination: 3, attribute: 1, timer },
      { id: 4, key: 'second', name: '同意', source: 3, destination: 4, attribute: 1, timer },
    ],
  });
}
const begin = async (workflow_id: number) =>
  (await staff.get(tickets.start, { body: { workflow_id, transition_id: submit } })).id;
const after = (hours: number) => new Date(Date.now() + hours * hour);
const byItself = async (id: number) =>
  (await staff.get(tickets.flowlogs, { params: { id } })).value.filter((log) => log.participant_info === null).length;

/**
 * Runs a job so that `meanwhile` is committed between its first statement's snapshot and its row lock: a policy on the table, held up by our lock,
 * pauses the statement in the middle.
 */
async function overtaken(job: typeof actOnOverdue, at: Date, meanwhile: () => Promise<unknown>): Promise<void> {
  const { databases } = app.services;
  const holder = await databases.pool.connect();
  const waiting = async () => {
    const { rows } = await holder.query(`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    expect(rows).toHaveLength(1);
  };
  try {
    await holder.query('select pg_advisory_lock(7)');
    const late = databases.write(async (tx) => {
      await tx.$client.query("set local test.held_up = 'on'");
      return job(tx, at, stop);
    });
    await eventually(waiting);
    await meanwhile();
    await holder.query('select pg_advisory_unlock(7)');
    expect(await late).toBe(true);
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
  }
}
const heldUp = `
  create function held_up() returns boolean language plpgsql as $$ begin
    if current_setting('test.held_up', true) = 'on' then perform pg_advisory_xact_lock(7); end if;
    return true;
  end $$;
  alter table ticket_token enable row level security;
  alter table ticket_token force row level security;
  create policy held_up on ticket_token using (held_up());`;

test.each([
  { name: 'a time-out', key: 'lateo', clock: 'deadline', job: actOnOverdue },
  { name: 'a timer', key: 'latet', clock: 'timer', job: actOnTimers },
] as const)(
  '$name that is overtaken by a decision leaves the next stay and its own time alone',
  async ({ key, clock, job }) => {
    const id = await begin(await flowOf(key, clock));
    const { pool } = app.services.databases;
    await pool.query(heldUp);
    try {
      await overtaken(job, after(soon + 1), () => cast.does(head, id, 3));
    } finally {
      await pool.query(
        'drop policy held_up on ticket_token; alter table ticket_token disable row level security; drop function held_up()',
      );
    }
    expect(await byItself(id), 'nothing was done to the stay that was just begun').toBe(0);
    expect((await cast.detail(staff, id)).state.state_id).toBe(3);
    const again = () => app.services.databases.write((tx) => job(tx, after(soon + 1), stop));
    while (await again());
    expect(await byItself(id), 'and when its own time is over it is acted on').toBe(1);
  },
);

test('a state that confirms the end moves on by its timer like any other state', async () => {
  const id = await begin(await flowOf('latec', 'timer', { finish: 'confirm' }));
  expect((await cast.detail(staff, id)).act_state_id).toBe(6);
  const run = (hours: number) => app.services.databases.write((tx) => actOnTimers(tx, after(hours), stop));
  expect(await run(soon - 1)).toBe(false);
  expect(await run(soon + 1)).toBe(true);
  expect([await byItself(id), (await cast.detail(staff, id)).state.state_id]).toEqual([1, 3]);
  const late = await cast.does(head, id, 3);
  expect(late.msg, 'who comes too late hears that nobody did it').toMatch(/^系统已在 .+“到时自动流转”，/);
});
