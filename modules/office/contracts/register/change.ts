import { isDeepStrictEqual } from 'node:util';
import { and, eq, gt, sql } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { nature, renewal, stage, stageName } from '../contract/codes.ts';
import { supplementApplied, supplementUnknown, supplementUnsigned } from '../contract/refusals.ts';
import type { InputOf } from '../contract/performing/register.ts';
import { columnsAfter } from '../engine/supplement.ts';
import { movedTerm, type Term } from '../engine/terms.ts';
import { sidesOf } from '../parties/sides.ts';
import { owedBy } from '../engine/owed.ts';
import { calledIn, contractNews, finance, headOfDept } from '../record/news.ts';
import type { Stored } from '../record/record.ts';
import { contractSideTable, contractTable, contractTermTable } from '../tables.ts';
import { write, type Made, type Making } from './context.ts';
import { changesOf } from './events.ts';
import { fitPlans, replacePlans, unevenOf } from './replanning.ts';
import { agreedOf } from './sign.ts';

const labels = {
  amount: '合同金额',
  reduced: '审减',
  amount_cap: '框架上限',
  end_date: '结束日期',
  parties: '相对方',
  our_party: '我方',
  tax_rate: '税率',
  deposit: '履约保证金',
  warranty_end: '质保到期',
  renewal: '到期处理',
  renewal_months: '每次顺延月数',
  notice_days: '提前通知天数',
};
const shown = (row: Pick<Stored, 'renewal'>) => ({ renewal: renewal.label(row.renewal) });

/** 变更登记: applies a signed supplement once; fields that it leaves out stay. */
export async function change(making: Making, { supplement_id, reason }: InputOf<'change'>): Promise<Made> {
  const { context, row, today } = making;
  const { tx, user } = context;
  const [found] = await tx.select().from(contractTable).where(eq(contractTable.id, supplement_id)).for('no key update');
  if (!found || found.parent_id !== row.id || found.nature !== nature.supplement) throw supplementUnknown();
  if (found.stage !== stage.running) throw supplementUnsigned(stageName(found.stage));
  const supplement = found;
  const said = columnsAfter({ ...row, owed: owedBy(row) }, supplement);
  const end_date = said.end_date ?? row.end_date;
  const moved = end_date !== row.end_date;
  const was = await sidesOf(tx, row.id);
  const is = withKnown(await sidesOf(tx, supplement.id), was);
  const named = (sides: readonly { name: string }[]) => sides.map((side) => side.name).join('、');
  const columns = {
    ...said,
    ...(moved && row.stage === stage.expired && end_date! >= today ? { stage: stage.running } : {}),
    ...(named(was) === named(is) ? {} : { party_words: supplement.party_words }),
  };
  const [before, now] = [
    { ...row, ...shown(row) },
    { ...row, ...columns },
  ];
  const changes = changesOf(labels, { ...before, parties: named(was) }, { ...now, ...shown(now), parties: named(is) });
  const after = await write(making, {
    type: 'change',
    columns,
    reason,
    changes,
    supplement_id,
    async between(event) {
      await tx.execute(sql`select set_config('contracts.change', ${String(event)}, true)`);
      if (!isDeepStrictEqual(partiesIn(was), partiesIn(is))) await replaceSides(tx, row.id, is);
    },
  }).catch(refuseOn('contract_event_supplement_once', () => supplementApplied()));
  if (moved || said.renewal !== undefined) await moveTerm(tx, after, moved ? end_date : row.term_end);
  if (supplement.plans.length > 0) await replacePlans(tx, after, supplement);
  const notes = [...(await fitPlans(tx, after, supplement, user.id)), ...(await unevenOf(tx, after))];
  const told = changes.map((one) => `${one.label}由 ${shownAs(one, one.before)} 变更为 ${shownAs(one, one.after)}`);
  const content = `${calledIn(row)}已登记变更：${told.join('；') || reason}。${notes.join('')}`;
  const to = [row.undertaker, finance, headOfDept(row)];
  const occasion = String(supplement_id);
  await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: user.id, occasion }, to);
  return { row: after, notes };
}

const shownAs = ({ field }: { field: string }, value: unknown): string =>
  String(value ?? (field === 'end_date' ? '长期' : '未约定'));

type Side = Awaited<ReturnType<typeof sidesOf>>[number];
/** The sides of a supplement; fields missing for a known side are taken from the contract. */
const withKnown = (sides: readonly Side[], known: readonly Side[]): Side[] =>
  sides.map((side) => {
    const stood = known.find((one) => one.party_id === side.party_id);
    const said = Object.entries(side).filter(([, value]) => value !== '');
    return stood ? { ...stood, ...(Object.fromEntries(said) as Side) } : side;
  });
const partiesIn = (sides: readonly Side[]) => sides.map(({ id: _id, contract_id: _of, ...side }) => side);

async function replaceSides(tx: Db, id: number, sides: readonly Side[]): Promise<void> {
  await tx.delete(contractSideTable).where(eq(contractSideTable.contract_id, id));
  const copies = partiesIn(sides).map((side) => ({ ...side, contract_id: id }));
  if (copies.length > 0) await tx.insert(contractSideTable).values(copies);
}

/** Sets another end: later terms are deleted, and the one that contains it ends there. */
async function moveTerm(tx: Db, row: Stored, end: string | null): Promise<void> {
  const { id, contract_id, no, start_date } = contractTermTable;
  if (end !== null)
    await tx.delete(contractTermTable).where(and(eq(contract_id, row.id), gt(start_date, end), gt(no, 1)));
  const [last] = await tx
    .select()
    .from(contractTermTable)
    .where(eq(contract_id, row.id))
    .orderBy(sql`${no} desc`)
    .limit(1);
  if (!last) return;
  const term: Term = { no: last.no, start: last.start_date, end: last.end_date, notice: last.notice_date };
  const { notice } = movedTerm(agreedOf(row), term, end);
  const start = end !== null && last.start_date > end ? end : last.start_date;
  await tx
    .update(contractTermTable)
    .set({ start_date: start, end_date: end, notice_date: notice })
    .where(eq(id, last.id));
}
