import pg from 'pg';
import { timed, timedInTurns } from './calls.ts';
import { ratio, shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** Sees all work orders, contracts and nodes. */
const reader = 'admin';
const contracts = 100_000;
const nodes = 3;
const allowed = 1.5;
const forecast = 60;
const number = 'BENCH-';

/** Runs SQL as the database's operator: slow statements are not cancelled, and checks of the many equal rows are off. */
export async function asOperator<T>({ adminDatabase }: Stage, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(adminDatabase);
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Running contracts without tickets, each with a party, a term, payments due over three years, and half of them paid. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`insert into contract_party (name) select '${number}' || n from generate_series(1, 1000) n`);
  await client.query(`
    insert into contract (name, contract_no, stage, act_state, category_id, our_party, amount, undertaker, creator_id, dept_id, start_date,
      end_date, sign_date, imported, approved_at, search, gmt_created)
    select '合同 ' || n, '${number}' || n, 30, 4, c.ids[1 + n % cardinality(c.ids)], '示范大学', 3000 + n % 1000, u.ids[1 + n % cardinality(u.ids)],
      u.ids[1 + n % cardinality(u.ids)], d.ids[1 + n % cardinality(d.ids)], current_date - 400, current_date + n % 800,
      current_date - 400, true, now() - interval '400 days', '', now() - n * interval '1 minute'
    from generate_series(1, ${contracts}) n, (select array_agg(id) ids from contract_category) c,
      (select array_agg(id) ids from app_user) u, (select array_agg(id) ids from dept where not is_deleted) d`);
  await client.query(`
    insert into contract_side (contract_id, no, party_id, name)
    select c.id, 1, p.ids[1 + c.id % 1000], '乙方' from contract c, (select array_agg(id) ids from contract_party where name like '${number}%') p
    where c.contract_no like '${number}%'`);
  await client.query(`
    insert into contract_term (contract_id, no, start_date, end_date)
    select id, 1, start_date, end_date from contract where contract_no like '${number}%'`);
  await client.query(`
    insert into contract_performance (contract_id, kind, direction, period, name, plan_date, plan_amount, handler)
    select c.id, 1 + c.id % 2, 1 + c.id % 2, n, '第 ' || n || ' 期', current_date - 400 + (c.id * 7 + n * 300) % 1100, 1000, c.undertaker
    from contract c, generate_series(1, ${nodes}) n where c.contract_no like '${number}%'`);
  await client.query(`
    insert into contract_entry (contract_id, performance_id, date, amount, by)
    select contract_id, id, current_date, 400, handler from contract_performance where id % 2 = 0`);
  // Written as by the triggers, which are off meanwhile.
  await client.query(`update contract_performance set done_amount = 400, entries = 1, accepted = 1 where id % 2 = 0`);
  await client.query(`
    update contract c set term_no = 1, term_end = c.end_date,
      paid = (select coalesce(sum(p.done_amount), 0) from contract_performance p where p.contract_id = c.id)
    where c.contract_no like '${number}%'`);
  for (const table of ['contract', 'contract_side', 'contract_term', 'contract_performance', 'contract_entry'])
    // Rows that were all written twice leave half of their table empty, which no real database has.
    await client.query(`vacuum (full, analyze) ${table}`);
  await client.query('vacuum contract, contract_performance');
}

/** Removes them again. */
async function clear(client: pg.Client): Promise<void> {
  const mine = `select id from contract where contract_no like '${number}%'`;
  for (const table of ['entry', 'performance', 'term', 'side'])
    await client.query(`delete from contract_${table} where contract_id in (${mine})`);
  await client.query(`delete from contract where contract_no like '${number}%'`);
  await client.query(`delete from contract_party where name like '${number}%'`);
}

/** Measures the ledger beside the list of work orders, and the payments of two years. */
export async function measureContracts(stage: Stage, times: number): Promise<Table> {
  await asOperator(stage, fill);
  const token = await stage.signIn(reader);
  const paths = ['/api/contract/manage/?per_page=20', '/api/tickets/?category=all&per_page=20'];
  const [ledger, tickets] = await timedInTurns(stage, paths, token, times);
  const day = (months: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getFullYear(), now.getMonth() + months, 1)).toISOString().slice(0, 10);
  };
  const asked = `start=${day(-12)}&end=${day(12)}&by=month`;
  const cash = await timed(stage, `/api/contract/performance/calendar/?${asked}`, token, times);
  await asOperator(stage, clear);
  return {
    name: 'contracts',
    title: '合同',
    about: `${shown(contracts)} 份履行中的合同、${shown(contracts * nodes)} 个履约节点，一个连接逐次请求；台账与工单列表逐次轮流请求。目标：台账不慢于工单列表的 ${allowed} 倍，24 个月现金流 p95 小于 ${forecast} ms。`,
    columns: ['调用', '合同 p50 ms', '合同 p95', '工单 p50', '工单 p95', '比值'],
    rows: [
      [
        '台账 20 行与合计',
        ...[ledger!.p50, ledger!.p95, tickets!.p50, tickets!.p95].map((value) => shown(value)),
        ratio(ledger!.p50, tickets!.p50),
      ],
      ['24 个月现金流', shown(cash.p50), shown(cash.p95), '—', '—', '—'],
    ],
  };
}
