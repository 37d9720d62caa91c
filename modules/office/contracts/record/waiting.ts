import { sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { stage } from '../contract/codes.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

/** Days before its due day in which a row waits for its handler. */
const near = 7;
const { plan_date, handler, is_open, name, plan_amount } = contractPerformanceTable;

/** The amount in yuan, if the row has one. */
const yuan = (amount: typeof plan_amount | typeof contractTable.amount): SQL =>
  sql`case when ${amount} > 0 then to_char(${amount}, 'FM9,999,999,999,999,990.00') || ' 元' end`;
/**
 * Work on contracts that waits for people: signing, and performance within a week or late. Rows `(person, id, title, due_at, about, since,
 * from_id)`, possibly several per contract.
 */
const waiting = (person?: number): SQL => {
  const of = (column: typeof handler | typeof contractTable.undertaker) =>
    person === undefined ? sql`true` : sql`${column} = ${person}`;
  return sql`
    select ${contractTable.undertaker} person, ${contractTable.id} id, '待签订：' || ${contractTable.name} title, null::timestamptz due_at,
        ${yuan(contractTable.amount)} about, ${contractTable.approved_at} since, ${contractTable.creator_id} from_id
      from ${contractTable} where ${contractTable.stage} = ${stage.toSign} and ${of(contractTable.undertaker)}
    union all
    select ${handler}, ${contractTable.id}, ${name} || '：' || ${contractTable.name}, (${plan_date} + time '23:59:59')::timestamptz,
        ${yuan(plan_amount)}, null::timestamptz, null::int
      from ${contractPerformanceTable} join ${contractTable} on ${contractTable.id} = ${contractPerformanceTable.contract_id}
      where ${is_open} and ${plan_date} <= ${dayOf(houseNow())}::date + ${near}::int
        and ${contractTable.stage} in (${stage.running}, ${stage.expired}, ${stage.terminated}) and ${of(handler)}`;
};

/** Each contract once, with the work due first; the same for the list, its count and the badge. */
export const waitingFor = (person: number): SQL => sql`
  select distinct on (id) id, title, due_at, about, since, from_id from (${waiting(person)}) mine order by id, due_at nulls last`;
export const isWaitingFor = (person: number): SQL =>
  sql`${contractTable.id} in (select mine.id from (${waiting(person)}) mine)`;
export const waitingForAll = (): SQL =>
  sql`select person, min(due_at) from (${waiting()}) each_one group by person, id`;
