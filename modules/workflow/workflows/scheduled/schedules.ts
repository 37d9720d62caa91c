import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { nameTaken, unknownHolder } from '../contract/refusals.ts';
import { daysMissing, noDates, schedules, wouldNotStart } from '../contract/schedules.ts';
import { administered } from '../definition/administer.ts';
import { workflowNames } from '../service.ts';
import { scheduleRunTable as runs, scheduleTable as s } from '../tables.ts';
import { workflowNews } from './news.ts';
import { lacking, nextAfter, whenText } from './rule.ts';
import { asIt, closeRuns } from './runs.ts';
import { ofAdministered } from './scope.ts';

export const scheduleModule = implement(
  'workflows',
  schedules,
  nounHandlers(schedules, {
    table: s,
    noun: '定时发起',
    search: [s.name],
    scope: ofAdministered,
    async shows(rows, { tx }) {
      const people = await peopleById(
        tx,
        rows.map((row) => row.person_id),
      );
      const ids = rows.map((row) => row.id);
      const last = await tx
        .selectDistinctOn([runs.schedule_id])
        .from(runs)
        .where(inArray(runs.schedule_id, ids))
        .orderBy(runs.schedule_id, desc(runs.due_at));
      const open = await tx
        .select({ schedule: runs.schedule_id, count: sql<number>`count(*)::int` })
        .from(runs)
        .where(and(inArray(runs.schedule_id, ids), eq(runs.outcome, 'failed'), isNull(runs.handled_at)))
        .groupBy(runs.schedule_id);
      return (row) => ({
        person: people.get(row.person_id)?.alias ?? '',
        when: whenText(row),
        next_at: row.status === onOff.on ? row.next_at : null,
        last: last.find((one) => one.schedule_id === row.id) ?? null,
        open: open.find((one) => one.schedule === row.id)?.count ?? 0,
      });
    },
    async check({ tx, user, now }, { row, before }) {
      await administered(tx, user, before ? 'Update' : 'Create', row.workflow_id, true);
      const [working] = await workingAmong(tx, [row.person_id]);
      if (working === undefined) throw unknownHolder(`用户 ${row.person_id} `);
      const missing = lacking(row);
      if (missing) throw daysMissing(missing);
      const author_ids = authorsOf(row, before, user.id);
      if (row.status === onOff.off) return { author_ids, next_at: null };
      const next = nextAfter(row, now);
      if (!next) throw noDates(whenText(row));
      await tx.services.product.running.tryInName(tx, asIt({ ...row, author_ids }, now)).catch((stop: unknown) => {
        throw stop instanceof Refusal ? wouldNotStart(stop.message) : stop;
      });
      return { author_ids, next_at: momentText(next) };
    },
    async after({ tx, user }, { id, row, before }) {
      if (!row) await closeRuns(tx, id, user.id);
      else if (row.person_id !== before?.person_id) await tell(tx, row, user.id);
    },
    // The values are visible only to those who see the ticket.
    facts: (row) => ({ 表单内容: `${Object.keys(row.values).length} 项` }),
    unique: { workflow_schedule_name_unique: (row) => nameTaken(row.name) },
  }),
);

type Schedule = typeof s.$inferSelect;

/** The authors of a schedule's values, and of the choice of its person: none of them decides the tickets. */
function authorsOf(row: Pick<Schedule, 'person_id' | 'values'>, before: Schedule | null, by: number): number[] {
  const same = before?.person_id === row.person_id && isDeepStrictEqual(before.values, row.values);
  return same ? before.author_ids : [...new Set([...(before?.author_ids ?? []), by])];
}

/** The person in whose name tickets will be begun is told beforehand. */
async function tell(tx: Db, row: Schedule, by: number): Promise<void> {
  const name = (await workflowNames(tx, [row.workflow_id])).get(row.workflow_id) ?? '';
  const said = {
    title: `流程“${name}”将以您的名义定时发起`,
    content: `${whenText(row)}；如有不妥，请联系流程管理员`,
    by,
  };
  await announce(tx, workflowNews.SCHEDULE, { id: row.id }, said, [row.person_id]);
}
