import { sql } from 'drizzle-orm';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { audienceShown, checkAudience, namesIn } from '#modules/platform/people/service/audience.ts';
import { names } from '#modules/platform/people/service/words.ts';
import { dutyCalls, planCalls } from './contract.ts';
import { planEmpty } from './contract/refusals.ts';
import { postKeys } from './contract/codes.ts';
import { statistics } from './server/brings.ts';
import { handOver, one, takeOver, write } from './server/log.ts';
import { make } from './server/make.ts';
import { logPdf, rosterPdf } from './server/paper.ts';
import { cancel, change, move, publish, remove } from './server/roster.ts';
import { reaches, roster, today } from './server/shifts.ts';
import { answerSwap, askSwap, swaps } from './server/swaps.ts';
import { planTable } from './tables.ts';

const plans = nounHandlers(planCalls, {
  table: planTable,
  noun: '值班方案',
  select: { keeper_name: sql<string>`(select alias from app_user where app_user.id = "duty_plan"."keeper_id")` },
  search: [planTable.name],
  foundBy: (words) => names(words, (ids) => sql`${planTable.keeper_id} in ${ids}`),
  order: { descending: true },
  scope: reaches,
  async shows(rows, { tx }) {
    const shown = new Map<number, object>();
    for (const row of rows) {
      const pools: Record<string, unknown> = {};
      for (const key of postKeys) pools[key] = await audienceShown(tx, row[key]);
      shown.set(row.id, pools);
    }
    return (row) => shown.get(row.id)!;
  },
  async check({ tx, user }, { before, sent }) {
    const { name, lead_need, staff_need, backup_need } = { ...before, ...sent } as typeof planTable.$inferSelect;
    if (lead_need + staff_need + backup_need === 0) throw planEmpty(name);
    const pools: Record<string, string[]> = {};
    for (const key of postKeys) {
      const audience = sent[key];
      if (!audience) continue;
      await checkAudience(tx, audience);
      pools[key] = namesIn(audience);
    }
    return { ...pools, ...(before ? {} : { dept_id: user.depts[0] ?? null, keeper_id: user.id }) };
  },
  inUse: { 个班次: (id) => sql`select count(*) from duty_shift where plan_id = ${id}` },
  facts: (row) => ({ 带班领导: row.lead.join(), 值班员: row.staff.join(), 备勤: row.backup.join() }),
});

export const dutyModule = implement('duty', dutyCalls, {
  roster: ({ query }, context) => roster(context, query),
  make: ({ body }, context) => make(context, body),
  today: (_input, context) => today(context),
  publish: ({ body }, context) => publish(context, body),
  pdf: staged(dutyCalls.pdf, {
    before: ({ query }, { read, ...context }) => rosterPdf({ ...context, tx: read }, query),
    run: ({ prepared }) => prepared,
  }),
  statistics,
  swaps: ({ query }, context) => swaps(context, query),
  answerSwap: ({ params, body }, context) => answerSwap(context, params.id, body.act),
  get: ({ params }, context) => one(context, params.id),
  change: ({ params, body }, context) => change(context, params.id, body),
  move: ({ params, body }, context) => move(context, params.id, body),
  cancel: ({ params, body }, context) => cancel(context, params.id, body.reason),
  remove: ({ params }, context) => remove(context, params.id),
  log: ({ params, body }, context) => write(context, params.id, body),
  handOver: ({ params, body }, context) => handOver(context, params.id, body),
  takeOver: ({ params, body }, context) => takeOver(context, params.id, body),
  logPdf: staged(dutyCalls.logPdf, {
    before: ({ params }, { read, ...context }) => logPdf({ ...context, tx: read }, params.id),
    run: ({ prepared }) => prepared,
  }),
  swap: ({ params, body }, context) => askSwap(context, params.id, body),
  plans: plans.list,
  addPlan: plans.add,
  changePlan: plans.change,
  removePlan: plans.remove,
});
