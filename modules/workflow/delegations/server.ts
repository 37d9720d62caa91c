import { and, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { calledBy, peopleById, peopleByName, type PersonCard } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { requireRuled } from '#modules/platform/people/service/ruled.ts';
import { workflowNames } from '#modules/workflow/workflows/service.ts';
import {
  goesRound,
  notOwnDelegation,
  overlaps,
  periodOver,
  delegations,
  unknownDelegate,
  unknownWorkflow,
  type DelegationRow,
} from './contract.ts';
import { over, overAt, type WithdrawTodos } from './ending.ts';
import { delegationNews } from './news.ts';
import { ringOf } from './loops.ts';
import { standInTable } from './tables.ts';

const short = (column: unknown) => sql<string>`left(${column}::text, 19)`;
const columns = {
  id: standInTable.id,
  from: standInTable.from_id,
  set_by: standInTable.set_by,
  to: standInTable.to_id,
  start: short(standInTable.starts_at),
  end: short(sql`coalesce(${standInTable.ended_at}, ${standInTable.ends_at})`),
  workflow_ids: standInTable.workflow_ids,
  chain_limit: standInTable.chain_limit,
  reason: standInTable.reason,
  created: short(standInTable.gmt_created),
  state: sql<
    DelegationRow['state']
  >`case when ${standInTable.ended_at} is not null or ${standInTable.ends_at} <= now() then 'over'
    when ${standInTable.starts_at} > now() then 'waiting' else 'running' end`,
};
/** Names of the workflows it is limited to, as its row shows them. */
const namesOfWorkflows = sql`(select string_agg(w.name, ' ') from workflow w where w.id = any(${standInTable.workflow_ids}) and not w.is_deleted)`;
const stateNames = { waiting: '未开始', running: '进行中', over: '已结束' } as const;

export const delegationsModule = (withdrawTodos: WithdrawTodos) =>
  implement('delegations', delegations, {
    async list({ query }, { tx, user }) {
      const sides = { given: standInTable.from_id, taken: standInTable.to_id, set: standInTable.set_by };
      const found = saysOrShows(
        query.search_value,
        (word) => or(contains(standInTable.reason, word), contains(namesOfWorkflows, word)),
        (ids) => sql`(${standInTable.from_id} in ${ids} or ${standInTable.to_id} in ${ids})`,
      );
      const mine = and(eq(sides[query.side], user.id), found);
      const page = await pageOf(tx, query, tx.select(columns).from(standInTable).where(mine).$dynamic(), {
        by: { start: standInTable.starts_at, gmt_created: standInTable.gmt_created },
        first: 'start',
        descending: true,
        tie: standInTable.id,
      });
      const people = await peopleById(
        tx,
        page.value.flatMap((row) => [row.from, row.to]),
      );
      const names = await workflowNames(
        tx,
        page.value.flatMap((row) => row.workflow_ids ?? []),
      );
      const card = (id: number): PersonCard =>
        people.get(id) ?? { id, username: '', alias: '', dept_id: null, dept_name: '' };
      const value = page.value.map((row) => ({
        id: row.id,
        delegator: card(row.from),
        delegate: card(row.to),
        start: row.start,
        end: row.end,
        workflows: (row.workflow_ids ?? []).map((id) => ({ id, name: names.get(id) ?? '' })),
        chain_limit: row.chain_limit,
        reason: row.reason,
        state: row.state,
        state_name: stateNames[row.state],
        gmt_created: row.created,
        actions: [row.from, row.set_by].includes(user.id) && row.state !== 'over' ? ['end'] : [],
      }));
      return { ...page, value };
    },

    async create({ body }, { tx, user, now, audit }) {
      const { delegate, start, end, workflow_ids, chain_limit, reason } = body;
      const to = (await peopleByName(tx, [delegate])).get(delegate);
      if (!to) throw unknownDelegate((await calledBy(tx, [delegate]))[0]!);
      const from = await delegatorOf(tx, user, body.delegator);
      if (to.id === from.id) throw notOwnDelegation();
      if (momentOf(end) <= now) throw periodOver(end);
      const wanted = workflow_ids.length > 0 ? [...new Set(workflow_ids)] : null;
      const names = await workflowNames(tx, wanted ?? []);
      if (wanted && names.size !== wanted.length) throw unknownWorkflow();
      const ring = await ringOf(tx, { from: from.id, to: to.id, start, end, workflows: wanted });
      if (ring) throw goesRound(await aliases(tx, ring));
      const row = {
        from_id: from.id,
        set_by: from.id === user.id ? null : user.id,
        to_id: to.id,
        starts_at: start,
        ends_at: end,
        workflow_ids: wanted,
        chain_limit,
        reason,
      };
      const [made] = await tx
        .insert(standInTable)
        .values(row)
        .returning({ id: standInTable.id })
        .catch(refuseOn('stand_in_no_overlap', () => overlaps(start, end)));
      const id = made?.id ?? 0;
      await overAt(tx, id, to.id, momentOf(end));
      const others = from.id !== user.id;
      const period = `${start} 至 ${end}${others ? `，由${user.alias}设置` : ''}`;
      const given = { content: period, by: user.id };
      const told = (title: string, person: number, occasion: string) =>
        announce(tx, delegationNews.DELEGATED, { id }, { ...given, title, occasion }, [person]);
      await told(`${from.alias}委托您代办`, to.id, 'given');
      await told(`${to.alias}将代您办理`, from.id, 'set');
      const scope = wanted ? [...names.values()].join('、') : '全部流程';
      audit({
        type: '委托',
        id,
        title: to.alias,
        after: {
          ...(others && { 委托人: from.alias }),
          代办人: to.alias,
          开始: start,
          结束: end,
          流程: scope,
          原因: reason,
        },
      });
      return { id, from: momentOf(start) > now ? start : null };
    },

    async end({ params }, { tx, user, audit }) {
      const whose = or(eq(standInTable.from_id, user.id), eq(standInTable.set_by, user.id));
      const open = and(eq(standInTable.id, params.id), whose, stillOpen());
      const [row] = await tx
        .update(standInTable)
        .set({ ended_at: sql`now()` })
        .where(open)
        .returning({ from: standInTable.from_id, to: standInTable.to_id, by: standInTable.set_by });
      if (!row) throw absent('委托');
      await over(tx, withdrawTodos, row.to);
      const [alias = '', delegator = ''] = await aliases(tx, [row.to, row.from]);
      // If the person who set the delegation was also the delegate, they are told only once.
      const told = (title: string, content: string, person: number | null) =>
        announce(tx, delegationNews.DELEGATION_ENDED, params, { title, content, by: user.id }, [person]);
      await told(`${delegator}对您的委托已结束`, `由${user.alias}结束`, row.to);
      await told(`您对${alias}的委托已结束`, `由${user.alias}结束`, row.from);
      await told(`您为${delegator}设置的委托已结束`, `代办人${alias}，由${user.alias}结束`, row.by);
      audit({ type: '委托', id: params.id, title: alias, after: { 操作: '结束' } });
      return { id: params.id };
    },
  });

/** Returns the person whose tasks are delegated: the user, or somebody they administer. */
async function delegatorOf(
  tx: Db,
  user: Viewer,
  username: string | undefined,
): Promise<Pick<PersonCard, 'id' | 'alias'>> {
  if (username === undefined || username === user.username) return user;
  const from = (await peopleByName(tx, [username])).get(username);
  if (!from) throw unknownDelegate((await calledBy(tx, [username]))[0]!);
  await requireRuled(tx, user, from.id);
  return from;
}

function stillOpen(): SQL | undefined {
  return and(isNull(standInTable.ended_at), ne(columns.state, 'over'));
}

async function aliases(tx: Db, ids: readonly number[]): Promise<string[]> {
  const people = await peopleById(tx, ids);
  return ids.map((id) => people.get(id)?.alias ?? '');
}
