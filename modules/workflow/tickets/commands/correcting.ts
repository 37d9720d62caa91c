import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { interveneType } from '#modules/workflow/workflows/engine/codes.ts';
import { run } from './run.ts';
import { seenBy, type CommandContext } from './commands.ts';
import { notCorrectable } from '../contract/refusals.ts';
import { noRights } from '../engine/ways/offers.ts';
import { apply, type LogEntry } from '../engine/state.ts';
import type { Stored } from '../store/store.ts';
import { ticketLogTable } from '../tables/log.ts';

/** Milliseconds after a decision in which its comment may be corrected. */
export const correctWithin = 10 * 60_000;

/** Why an opinion cannot be corrected any more; null if it can. `actedAfter`: somebody, or the system, acted after it. */
export function whyNotCorrectable(
  opinion: { action: string | null; decided: string | null; actedAfter: boolean },
  now: Date,
): string | null {
  if (opinion.action === null || opinion.decided === null) return '还没有办理，办理时填写即可';
  if (!deciding.includes(opinion.action)) return '只有办理意见可以更正';
  if (now.getTime() - momentOf(opinion.decided).getTime() > correctWithin)
    return '只能在办理后 10 分钟内更正，需要补充的请评论';
  return opinion.actedAfter ? '后面已经有人办理，不能再更正，需要补充的请评论' : null;
}

/** True if something happened after an action, given by its columns: not a comment, and not what the action itself let pass. */
export const actedAfter = (ticketId: SQL, seq: SQL) => sql<boolean>`exists (
  select from ticket_log later where later.ticket_id = ${ticketId} and later.seq > ${seq}
    and later.action not in ('comment', 'urge', 'cc', 'correct') and not (later.actor_id is null and later.action in ('skip', 'keep', 'regroup', 'stall', 'left')))`;

/** Actions whose comments their author may correct. */
export const deciding: readonly string[] = ['submit', 'handle', 'add_node_end', 'reply'];

/**
 * Corrects the comment of one's own decision, soon after it and before anybody acts. The log keeps the old text and gets a row with the new one.
 * Returns the old text.
 */
export async function correctOpinion(
  context: CommandContext,
  ticketId: number,
  taskNo: number,
  suggestion: string,
): Promise<string> {
  const { tx, user, origin, now } = context;
  const stored: Stored = await seenBy(tx, user, ticketId, true);
  const { state: before, delegates } = stored;
  const task = before.tasks.find((one) => one.no === taskNo);
  if (!task || (delegates.get(taskNo) ?? task.assignee) !== user.id) throw absent('您的办理记录');
  const [row] = await tx
    .select({
      at: sql<string>`left(${ticketLogTable.at}::text, 19)`,
      state: ticketLogTable.from_state_id,
      action: ticketLogTable.action,
      actedAfter: actedAfter(sql`ticket_log.ticket_id`, sql`ticket_log.seq`),
    })
    .from(ticketLogTable)
    .where(
      and(
        eq(ticketLogTable.ticket_id, ticketId),
        inArray(ticketLogTable.action, [...deciding]),
        sql`${taskNo} = any(${ticketLogTable.task_nos})`,
      ),
    )
    .orderBy(desc(ticketLogTable.seq))
    .limit(1);
  const why = whyNotCorrectable(
    { action: row?.action ?? null, decided: row?.at ?? null, actedAfter: row?.actedAfter ?? false },
    now,
  );
  if (!row || why !== null) throw notCorrectable(why ?? '没有办理记录');
  const { no, status, transition_id } = task;
  const event = { type: 'task_changed', no, status, transition_id, reason: suggestion } as const;
  const entry: LogEntry = {
    seq: before.seq + 1,
    actor: task.assignee,
    action: 'correct',
    intervene_type: interveneType.comment,
    transition_id: null,
    from_state_id: row.state,
    to_state_id: row.state,
    suggestion,
    task_nos: [taskNo],
    events: [event],
    trace: [],
  };
  const delegate = delegates.has(taskNo) ? { id: user.id, owner: task.assignee, isDelegate: true } : null;
  const state = { ...apply(before, event), seq: entry.seq };
  await run(tx, stored, {
    decide: () => ({ kind: 'decided', state, log: [entry] }),
    facts: { rights: noRights },
    delegate,
    heard: { actor: user, suggestion: '', talk: true },
    origin,
    now,
  });
  return task.reason;
}
