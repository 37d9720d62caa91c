import type { Db } from '#kernel/server/db/db.ts';
import { verifyLogs } from '#modules/platform/audit/chain/verify.ts';
import { verifyTicketLogs } from '#modules/workflow/tickets/store/chain.ts';
import { ticketProblems, unlikeTheirLog } from '#modules/workflow/tickets/demo/check.ts';
import { contractTroubles } from './contracts.ts';
import { wordsOf, type Life } from './lives.ts';
import { requestKey } from './living.ts';
import { sealTroubles } from './seals.ts';

/** The result of comparing the database with the run. */
export interface Found {
  /** Sentences; none if everything is correct. */
  troubles: string[];
  /** Keys of unanswered requests that had been committed. */
  committed: string[];
}
interface Row {
  id: number;
  title: string;
  /** Action and comment of each row that a person wrote, the oldest first. */
  log: [string, string][];
  /** The number of its registrations. */
  registered: number;
}
interface Paper {
  id: number;
  title: string;
  status: number;
}
const paper = '制度';

/** Compares lives with the database: each acknowledged step occurs once, an unanswered one once or not at all, and nothing else occurs. */
export async function compare(tx: Db, all: readonly Life[]): Promise<Found> {
  const titles = all.map((life) => life.title);
  const { rows } = await tx.$client.query<Row>(
    `select t.id, t.title, (select json_agg(json_build_array(l.action, l.suggestion) order by l.seq)
       from ticket_log l where l.ticket_id = t.id and l.actor_id is not null) as log,
       (select count(*)::int from contract c join contract_event e on e.contract_id = c.id where c.ticket_id = t.id and e.by is not null)
       + (select count(*)::int from stamp_application a join stamp_line l on l.application_id = a.id
         where a.ticket_id = t.id and l.state in (2, 5, 6)) as registered
     from ticket t where t.title = any($1)`,
    [titles],
  );
  const { rows: papers } = await tx.$client.query<Paper>(
    'select id, title, status from folder_paper where title = any($1)',
    [titles],
  );
  const found = new Map<string, (Row | Paper)[]>();
  for (const row of [...rows, ...papers]) found.set(row.title, [...(found.get(row.title) ?? []), row]);
  const troubles: string[] = [];
  const committed: string[] = [];
  for (const life of all) {
    const name = `${life.kind} ${life.key}`;
    const [row, ...more] = found.get(life.title) ?? [];
    if (more.length > 0) troubles.push(`${name}：一次提交产生了 ${more.length + 1} 份`);
    const kept = row ? stepsIn(row) : 0;
    if (row && life.done > 0 && row.id !== (life.kind === paper ? life.id : life.ticket))
      troubles.push(`${name}：编号与答复的不同`);
    if (kept < life.done) troubles.push(`${name}：已确认 ${life.done} 步，只留下 ${kept} 步`);
    if (kept > life.done + (life.asked ? 1 : 0)) troubles.push(`${name}：只提交 ${life.done} 步，却有 ${kept} 步`);
    if (life.asked && kept === life.done + 1) committed.push(requestKey(life));
    if (
      row &&
      'log' in row &&
      row.log.some((one, at) => one[0] !== life.steps[at]?.says || one[1] !== wordsOf(life, at))
    )
      troubles.push(`${name}：流转记录与提交的不同：${JSON.stringify(row.log)}`);
  }
  return { troubles, committed };
}

const stepsIn = (row: Row | Paper) => ('log' in row ? row.log.length + row.registered : row.status + 1);

/** Checks invariants of the tickets: those of the engine, both chains, numbers, and notifications. */
export async function examine(tx: Db, { since, folded }: { since: number; folded: number }): Promise<string[]> {
  const chain = await verifyTicketLogs(tx);
  const log = await verifyLogs(tx);
  const { rows: gaps } = await tx.$client.query<{ day: string; missing: number }>(
    `select left(sn, 10) as day, max(substr(sn, 11)::int) - min(substr(sn, 11)::int) + 1 - count(*)::int as missing
     from ticket where id > $1 and sn like 'FW%' group by 1 having max(substr(sn, 11)::int) - min(substr(sn, 11)::int) + 1 <> count(*)`,
    [since],
  );
  const { rows: twice } = await tx.$client.query<{ object_id: number; event: string }>(
    `select m.object_id, m.event from msg m join msg_user u on u.msg_id = m.id
     where u.closed_at is null and m.module = 'tickets' and m.object_id > $1
     group by m.object_id, m.event, u.user_id having count(*) > 1 limit 10`,
    [since],
  );
  return [
    ...(await ticketProblems(tx)),
    ...(await unlikeTheirLog(tx, folded)).map((sn) => `工单 ${sn} 与它的流转记录不符`),
    ...(chain.broken ? [`工单 ${chain.broken.ticket_id} 的流转记录在第 ${chain.broken.seq} 条断开`] : []),
    ...(log.broken ? [`操作日志在第 ${log.broken.seal} 条断开：${log.broken.why}`] : []),
    ...gaps.map(({ day, missing }) => `流水号 ${day} 少了 ${missing} 个`),
    ...(await contractTroubles(tx)),
    ...(await sealTroubles(tx)),
    ...twice.map(({ object_id, event }) => `工单 ${object_id} 的 ${event} 通知了两次`),
  ];
}

/** Compares the deliveries that arrived with those that the database lists as sent: `came` counts each key that arrived. */
export async function compareDeliveries(
  tx: Db,
  since: number,
  came: ReadonlyMap<string, number>,
): Promise<{ left: number; keys: number; troubles: string[] }> {
  const { rows } = await tx.$client.query<{ key: string; state: string }>(
    `select key, state from delivery where channel = 'hook' and module = 'tickets' and object_id > $1`,
    [since],
  );
  const { rows: untold } = await tx.$client.query<{ ticket_id: number; seq: number }>(
    `select l.ticket_id, l.seq from ticket_log l join ticket t on t.id = l.ticket_id join workflow w on w.id = t.workflow_id
     where l.ticket_id > $1 and w.key = 'it_service' and l.action = 'submit'
       and not exists (select from delivery d where d.key like 'ticket:' || l.ticket_id || ':' || l.seq || ':todo:%') limit 10`,
    [since],
  );
  const posted = new Set(rows.map((row) => row.key));
  const strange = [...came.keys()].filter((key) => !posted.has(key));
  const lost = rows.filter((row) => row.state === 'sent' && !came.has(row.key));
  return {
    left: rows.filter((row) => row.state !== 'sent').length,
    keys: posted.size,
    troubles: [
      ...strange.map((key) => `投递 ${key} 到达了，数据库里却没有`),
      ...lost.map(({ key }) => `投递 ${key} 标为已发送，却没有到达`),
      ...untold.map(({ ticket_id, seq }) => `工单 ${ticket_id} 的第 ${seq} 步没有投递`),
    ],
  };
}
