import { sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState, attributeType, interveneType, timeoutAction } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import type { Broken } from '../commands/savepoint.ts';
import { proceed } from '../engine/decide.ts';
import { isBarred } from '../engine/four-eyes.ts';
import { needsSignature } from '../engine/ways/buttons.ts';
import { noRights, offeredByTasks } from '../engine/ways/offers.ts';
import { queryKey } from '../engine/people/people.ts';
import { hasVoted, isOpen, type Task } from '../engine/state.ts';
import { answersTo } from '../commands/facts.ts';
import { actFor, byItself, happen, run } from '../commands/run.ts';
import { renewDeadline } from './deadlines.ts';
import { orCall } from './incidents.ts';
import { handingOver, type Proxy } from '../commands/proxy.ts';
import { guardOf } from '../records/records.ts';
import { load, type Stored } from '../store/store.ts';

const words = {
  remind: '已超过办理时限，请尽快处理',
  agree: '超过办理时限，系统自动同意',
  giveBack: '超过办理时限，系统自动退回',
  escalate: '超过办理时限，转由上级处理',
  transfer: '超过办理时限，按流程规定转办',
};
/** The reminder before a deadline. */
const soon = (due: string) => `将于 ${due} 到期，请及时办理`;
const unable = '超过办理时限，按流程规定的处理没有成功';
const fault = '处理超过时限的待办时系统出错，未成功，请联系系统维护人员';
/** The most tasks that one state may have. */
const mostTasks = 500;

type Timeout = NonNullable<State['timeout']>;
interface Late {
  ticket: number;
  token: number;
  visit: number;
}

/**
 * Applies a state's rule for a missed deadline: reminds, decides or passes its tasks upwards, exactly once for each stay. Handles one ticket in each
 * call; returns true if more may wait. If the rule cannot be applied, people are reminded and the workflow's administrators get a task. A ticket that
 * cannot be acted on at all is reported to `broken`, and the others go on without it.
 */
export async function actOnOverdue(tx: Db, now: Date, broken: Broken): Promise<boolean> {
  const { rows } = await tx.execute<{ ticket_id: number; no: number; visit: number }>(sql`
    select k.ticket_id, k.no, k.visit from ticket_token k join ticket t on t.id = k.ticket_id
    where k.status = 'active' and k.decision_deadline <= ${now.toISOString()}
      and (k.remind_at is null or k.remind_at <= ${now.toISOString()}) and k.overdue_visit is distinct from k.visit
      and t.act_state in (${inSql(actState.ongoing, actState.finishAsked)}) and t.suspended_at is null and not t.is_deleted
    order by k.decision_deadline limit 1 for update of t skip locked`);
  const [row] = rows;
  if (!row) return false;
  // Somebody may just have acted: the lock is on the ticket, and the stay was read before the lock.
  const { rowCount } = await tx.execute(sql`
    update ticket_token set overdue_visit = visit where ticket_id = ${row.ticket_id} and no = ${row.no} and visit = ${row.visit}
      and overdue_visit is distinct from visit and (remind_at is null or remind_at <= ${now.toISOString()})`);
  if (rowCount === 0) return true;
  const late = { ticket: row.ticket_id, token: row.no, visit: row.visit };
  const proxy = {
    by: null,
    name: '系统',
    intervene: interveneType.timeout,
    origin: { ip: '', userAgent: '', traceId: '' },
    now,
  };
  const stay = { token: late.token, visit: late.visit };
  await orCall(tx, { ticket: late.ticket, stay, why: fault, now, broken }, (stored) =>
    savepoint(tx, () => applyAction(tx, stored, late, proxy)).catch(async (stop: unknown) => {
      if (!(stop instanceof Refusal)) throw stop;
      await helpless(tx, stored, { late, proxy, why: stop.message });
    }),
  );
  return true;
}

/**
 * Reminds the people of one stay before its deadline, once: only those who still have it, by a message and a row of the log. Handles one ticket in
 * each call; returns true if more may wait.
 */
export async function remindBefore(tx: Db, now: Date, broken: Broken): Promise<boolean> {
  const { rows } = await tx.execute<{ ticket_id: number; no: number; visit: number; due: string }>(sql`
    select k.ticket_id, k.no, k.visit, left(k.decision_deadline::text, 16) as due from ticket_token k join ticket t on t.id = k.ticket_id
    where k.status = 'active' and k.ahead_at <= ${now.toISOString()}
      and t.act_state in (${inSql(actState.ongoing, actState.finishAsked)}) and t.suspended_at is null and not t.is_deleted
    order by k.ahead_at limit 1 for update of t skip locked`);
  const [row] = rows;
  if (!row) return false;
  // Somebody may just have acted, as above. A deadline that has passed has a rule of its own.
  const { rows: open } = await tx.execute(sql`
    with sent as (
      update ticket_token set ahead_at = null where ticket_id = ${row.ticket_id} and no = ${row.no} and visit = ${row.visit}
        and ahead_at <= ${now.toISOString()} returning decision_deadline)
    select from sent where decision_deadline > ${now.toISOString()}`);
  if (open.length === 0) return true;
  const late = { ticket: row.ticket_id, token: row.no, visit: row.visit };
  const stay = { token: row.no, visit: row.visit };
  await orCall(tx, { ticket: late.ticket, stay, why: fault, now, broken }, async (stored) => {
    const token = stored.state.tokens.find((one) => one.no === late.token);
    // The workflow may have another version by now, in which nobody is reminded here.
    const early = token && stateOf(stored.version.definition, token.state_id).timeout?.before !== undefined;
    const people = waiting(stored, late).map((task) => task.assignee);
    const when = { origin: { ip: '', userAgent: '', traceId: '' }, now };
    if (early && people.length > 0)
      await remind(tx, stored, { late, suggestion: soon(row.due), early: people, ...when });
  });
  return true;
}

interface Reminding extends Pick<Proxy, 'origin' | 'now'> {
  late: Late;
  suggestion: string;
  /** The people whose deadline is near; all who have a task if it has passed. */
  early?: readonly number[];
}
/** Reminds people of a deadline, by messages and a row of the log; the version that they have read stays valid. */
async function remind(tx: Db, stored: Stored, { late, suggestion, early, origin, now }: Reminding): Promise<void> {
  const { state, version } = stored;
  const event = { type: 'remind', token: late.token, visit: late.visit, suggestion } as const;
  const { heard, ...turn } = byItself(stored, suggestion);
  await run(tx, stored, {
    ...turn,
    heard: { ...heard, talk: true, ...(early && { early }) },
    decide: (known) => proceed(version.definition, state, event, known),
    origin,
    now,
  });
}

/** The rule for the missed deadline cannot be applied: the state's people are reminded, and the workflow's administrators read why. */
async function helpless(tx: Db, stored: Stored, { late, proxy, why }: { late: Late; proxy: Proxy; why: string }) {
  // A reminder without a recipient is dropped.
  await savepoint(tx, () => remind(tx, stored, { late, suggestion: words.remind, ...proxy })).catch((stop: unknown) => {
    if (!(stop instanceof Refusal)) throw stop;
  });
  const now = (await load(tx, late.ticket, undefined, true)) ?? stored;
  const stall = { type: 'stall', token: late.token, visit: late.visit, why: `${unable}：${why}` } as const;
  await happen(tx, now, stall, proxy);
}

async function applyAction(tx: Db, stored: Stored, late: Late, proxy: Proxy): Promise<void> {
  const token = stored.state.tokens.find((one) => one.no === late.token);
  if (!token) return;
  const { timeout } = stateOf(stored.version.definition, token.state_id);
  switch (timeout?.action) {
    case timeoutAction.remind:
      await remind(tx, stored, { late, suggestion: words.remind, ...proxy });
      return again(tx, late, timeout, proxy.now);
    case timeoutAction.agree:
      return decideAll(tx, stored, late, proxy, attributeType.agree, words.agree);
    case timeoutAction.giveBack:
      return decideAll(tx, stored, late, proxy, attributeType.refuse, words.giveBack);
    case timeoutAction.escalate:
      return passOn(tx, stored, { late, proxy, suggestion: words.escalate });
    case timeoutAction.transfer:
      return passOn(tx, stored, { late, proxy, suggestion: words.transfer, to: timeout.users ?? [] });
  }
}

/** Schedules the next reminder, as often as the state says. */
async function again(tx: Db, late: Late, { every = 24, times = 1 }: Timeout, now: Date): Promise<void> {
  const next = new Date(now.getTime() + every * 3_600_000).toISOString();
  await tx.execute(sql`
    update ticket_token set reminded = reminded + 1, remind_at = ${next},
      overdue_visit = case when reminded + 1 < ${times} then null else overdue_visit end
    where ticket_id = ${late.ticket} and no = ${late.token} and visit = ${late.visit}`);
}

const waiting = (stored: Stored, late: Late): Task[] =>
  stored.state.tasks.filter((task) => task.token === late.token && task.visit === late.visit && task.status === 'todo');

/** Decides for everybody who still has a task of the stay, until the ticket moves on. It cannot sign by hand. */
async function decideAll(
  tx: Db,
  first: Stored,
  late: Late,
  proxy: Proxy,
  attribute: number,
  suggestion: string,
): Promise<void> {
  let stored = first;
  for (let steps = 0; steps < mostTasks; steps++) {
    const [task] = waiting(stored, late);
    if (!task) return;
    const { definition } = stored.version;
    const guarded = await guardOf(tx, stored.record, definition);
    const offers = offeredByTasks(definition, stored.state, task.assignee).filter((one) => one.task_no === task.no);
    const offer =
      offers.find((one) => one.action === 'accept' || one.action === 'add_node_end') ??
      offers.find((one) => one.transition?.attribute === attribute);
    const given = { proxy, rights: noRights };
    const said = { suggestion, task_no: task.no };
    const signs = attribute === attributeType.agree && offer !== undefined && needsSignature(definition, offer);
    const held = offer && guarded(offer, task.assignee);
    if (signs) return remind(tx, stored, { late, suggestion: words.remind, ...proxy });
    if (!offer || held) return helpless(tx, stored, { late, proxy, why: held?.message ?? '没有可以用的按钮' });
    if (offer.action === 'accept') {
      stored = await actFor(tx, stored, task.assignee, { type: 'accept', task_no: task.no }, given);
    } else if (offer.action === 'add_node_end') {
      stored = await actFor(tx, stored, task.assignee, { type: 'add_node_end', ...said }, given);
    } else if (offer.transition) {
      const way = { type: 'handle' as const, transition_id: offer.transition.id, fields: {}, choose: {}, ...said };
      stored = await actFor(tx, stored, task.assignee, way, given);
    }
  }
}

interface Passing {
  late: Late;
  proxy: Proxy;
  suggestion: string;
  /** The new assignees; each person's superior if missing. */
  to?: readonly number[];
}
/** Hands every task of an overdue stay to its new assignees; if none of them may have it, people are reminded and the administrators called. */
async function passOn(tx: Db, first: Stored, { late, proxy, suggestion, to }: Passing): Promise<void> {
  let stored = first;
  let passed = 0;
  for (const { no } of waiting(first, late)) {
    // Tasks of a shared pool are gone once one of them has been passed on.
    const task = waiting(stored, late).find((one) => one.no === no);
    if (!task) continue;
    const { definition, workflow_id } = stored.version;
    // Everybody who might have claimed it is late.
    const pool = task.pooled ? waiting(stored, late).filter((one) => one.pooled) : [task];
    const asked = (to ?? pool.map((one) => one.assignee)).map(
      (of) => ({ kind: to ? 'user' : 'superior', of }) as const,
    );
    const answers = await answersTo(tx, { workflow_id, parent_ticket_id: stored.parent_ticket_id }, asked);
    const above = asked.flatMap((query) => answers[queryKey(query)] ?? []);
    const there = stored.state.tasks.filter((one) => one.token === late.token && one.visit === late.visit);
    const parts = there.filter((one) => isOpen(one) || hasVoted(one));
    // On the way upwards nobody gets it twice: superiors of each other would pass it back and forth for ever.
    const busy = new Set([stored.state.creator, ...(to ? parts : there).map((one) => one.assignee)]);
    const state = stateOf(definition, task.state_id);
    const free = [...new Set(above)].filter(
      (person) => !busy.has(person) && !isBarred(definition, stored.state, state, person),
    );
    const people = await peopleById(tx, free);
    const [name, ...others] = free.flatMap((person) => people.get(person)?.username ?? []);
    if (name === undefined) continue;
    const given = { proxy, rights: noRights, definition: handingOver(definition, task.state_id) };
    if (task.pooled) stored = await actFor(tx, stored, task.assignee, { type: 'accept', task_no: task.no }, given);
    const action = { type: 'deliver' as const, people: [name], suggestion, task_no: task.no };
    stored = await actFor(tx, stored, task.assignee, action, given);
    passed++;
    const [holder] = waiting(stored, late).filter((one) => one.assignee === free[0]);
    // Every head is asked, and any one of them may decide.
    if (to || !holder || others.length === 0) continue;
    const beside = { type: 'add_node', how: 'parallel', mode: 'any', people: others, suggestion } as const;
    stored = await actFor(tx, stored, holder.assignee, { ...beside, task_no: holder.no }, given);
  }
  if (passed === 0) return helpless(tx, stored, { late, proxy, why: '没有可以转交的人' });
  const token = stored.state.tokens.find((one) => one.no === late.token && one.visit === late.visit);
  // The new assignee gets as much time as the previous one; what was passed upwards is passed upwards again after that.
  const how = { now: proxy.now, again: to === undefined };
  if (token) await renewDeadline(tx, stored.id, stored.version.definition, token, how);
}
