import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { stage } from '../contract/codes.ts';
import { nobodyNew, notYours, nothingToHandOver } from '../contract/refusals.ts';
import { registerEvent } from '../register/events.ts';
import { calledIn, contractNews, headOfDept } from '../record/news.ts';
import { contracts } from '../record/record.ts';
import { page } from '../register/part.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

type By = Pick<Context, 'tx' | 'audit'> & { user: Viewer };
interface Asked {
  ids?: number[] | undefined;
  from?: number | undefined;
  to: number;
  reason: string;
}
const over: readonly number[] = [stage.archived, stage.void];

/** Hands contracts over to another undertaker, with their open nodes; signed facts do not change. */
export async function handOver(
  { tx, user, audit }: By,
  { ids, from, to, reason }: Asked,
): Promise<{ count: number; missed: number[] }> {
  if ((await workingAmong(tx, [to])).length === 0 || from === to) throw nobodyNew();
  const viewer = await contracts.viewerOf(tx, user);
  const { id, undertaker, stage: at } = contractTable;
  const chosen = ids ? isAmong(id, ids) : eq(undertaker, from!);
  const where = and(
    chosen,
    notInArray(at, [...over]),
    sql`${undertaker} <> ${to}`,
    contracts.reaches(viewer, 'Update'),
  );
  const rows = await contracts.rows(tx, where).orderBy(asc(id)).for('no key update');
  if (rows.length === 0) throw nothingToHandOver();
  const people = await peopleById(tx, [to, ...rows.map((row) => row.undertaker)]);
  const nameOf = (person: number) => people.get(person)?.alias ?? '';
  for (const row of rows) {
    await contracts.set(tx, row, { undertaker: to });
    await tx
      .update(contractPerformanceTable)
      .set({ handler: to })
      .where(
        and(eq(contractPerformanceTable.contract_id, row.id), eq(contractPerformanceTable.handler, row.undertaker)),
      );
    const change = { field: 'undertaker', label: '承办人', before: nameOf(row.undertaker), after: nameOf(to) };
    const stages = { from_stage: row.stage, to_stage: row.stage };
    await registerEvent(tx, {
      contract_id: row.id,
      type: 'handover',
      ...stages,
      reason,
      changes: [change],
      by: user.id,
    });
    audit({
      type: '合同',
      id: row.id,
      title: row.name,
      before: { 承办人: change.before },
      after: { 承办人: change.after, 原因: reason },
    });
    const content = `${calledIn(row)}由${nameOf(row.undertaker)}移交${nameOf(to)}承办。原因：${reason}`;
    const heard = [row.undertaker, to, headOfDept(row)];
    await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: user.id, occasion: `handover-${to}` }, heard);
  }
  const known = new Set(rows.map((row) => row.id));
  return { count: rows.length, missed: (ids ?? []).filter((one) => !known.has(one)) };
}

/** Contracts not yet archived whose paper originals the person keeps. */
async function keptBy(tx: Db, person: number) {
  const { keeper, stage: at, id } = contractTable;
  const where = and(eq(keeper, person), notInArray(at, [...over]));
  const rows = await contracts.rows(tx, where).orderBy(asc(id));
  return rows.map((row) => ({
    id: row.id,
    title: row.name,
    note: `${row.contract_no} 原件 ${row.copies_kept ?? 0} 份`.trim(),
    at: null,
    row,
  }));
}

/** Paper originals that the leaver keeps. */
export const originalLeaves: Leaves = {
  key: 'contract_originals',
  title: '合同原件',
  openOf: async (tx, person, limit) => {
    const rows = (await keptBy(tx, person)).map(({ row: _row, ...held }) => held);
    return heldOf(rows, limit);
  },
  async handOver(tx, from, to, { user }, only) {
    const viewer = await contracts.viewerOf(tx, user);
    const refused = notYours('移交原件', ['合同管理员']);
    return eachHanded(await keptBy(tx, from.id), only, async ({ id, row }) => {
      if (!holds(user, 'Update', page)) throw refused;
      const reached = and(eq(contractTable.id, id), contracts.reaches(viewer, 'Update'));
      if ((await tx.$count(contractTable, reached)) === 0) throw refused;
      await contracts.set(tx, row, { keeper: to.id });
      const change = { field: 'keeper', label: '原件保管人', before: from.alias, after: to.alias };
      await registerEvent(tx, {
        contract_id: id,
        type: 'handover',
        from_stage: row.stage,
        to_stage: row.stage,
        reason: `${from.alias}离职移交`,
        changes: [change],
        by: user.id,
      });
    });
  },
};

async function undertakenBy(tx: Db, person: number) {
  const { id, name, contract_no, undertaker, stage: at } = contractTable;
  const rows = await tx
    .select({ id, title: name, note: contract_no })
    .from(contractTable)
    .where(and(eq(undertaker, person), notInArray(at, [...over])))
    .orderBy(asc(id));
  return rows.map((row) => ({ ...row, note: row.note || '合同承办人', at: null }));
}

/** Contracts that the leaver undertakes. */
export const contractLeaves: Leaves = {
  key: 'contracts',
  title: '合同',
  openOf: async (tx, person, limit) => heldOf(await undertakenBy(tx, person), limit),
  async handOver(tx, from, to, { user }, only) {
    const rows = (await undertakenBy(tx, from.id)).filter((row) => only.length === 0 || only.includes(row.id));
    if (rows.length === 0) return { moved: 0, kept: [] };
    const kept = (of: typeof rows, msg: string) => of.map((row) => ({ id: row.id, title: row.title, msg }));
    if (!holds(user, 'Update', page))
      return { moved: 0, kept: kept(rows, notYours('移交承办', ['合同管理员']).message) };
    const viewer = await contracts.viewerOf(tx, user);
    const ids = rows.map((row) => row.id);
    const reached = await tx
      .select({ id: contractTable.id })
      .from(contractTable)
      .where(and(inArray(contractTable.id, ids), contracts.reaches(viewer, 'Update')));
    const mine = new Set(reached.map((row) => row.id));
    const audit = () => undefined;
    const ask = { ids: [...mine], to: to.id, reason: `${from.alias}离职移交` };
    const { count } = mine.size > 0 ? await handOver({ tx, user, audit }, ask) : { count: 0 };
    return {
      moved: count,
      kept: kept(
        rows.filter((row) => !mine.has(row.id)),
        notYours('移交承办', ['合同管理员']).message,
      ),
    };
  },
};
