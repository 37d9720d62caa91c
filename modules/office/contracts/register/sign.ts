import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById } from '#modules/platform/files/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { authority, nature, planKind, stage } from '../contract/codes.ts';
import * as refusals from '../contract/refusals.ts';
import type { InputOf } from '../contract/performing/register.ts';
import type { Plan } from '../contract/shapes.ts';
import { addMonths, firstTerm, type Agreed, type Term } from '../engine/terms.ts';
import { rulesOf } from '../record/assess.ts';
import { refuseInapplicable } from '../record/faults.ts';
import { calledIn, contractNews, finance, headOfDept, managers } from '../record/news.ts';
import type { Stored } from '../record/record.ts';
import { contractPerformanceTable, contractTermTable } from '../tables.ts';
import { refuseMovedText } from '../texts/freezing.ts';
import { changesOf } from './events.ts';
import { refuseEarly, write, type Made, type Making } from './context.ts';

/** 对方先签登记: may be required before our own seal. */
export async function partySigned(making: Making, { file }: InputOf<'party'>): Promise<Made> {
  const row = await write(making, { type: 'party', columns: { party_signed: true }, files: [file] });
  await requireScans(making.context.tx, [file]);
  return { row };
}

/**
 * Refuses a signed scan that is the unsigned text, as file or as pages. Runs after checking ownership of the files, because the refusal
 * names the contract.
 */
async function requireScans(tx: Db, files: readonly (number | null | undefined)[]): Promise<void> {
  const known = await filesById(
    tx,
    files.flatMap((one) => one ?? []),
  );
  for (const { name, ext, mime } of known.values())
    if (!mime.startsWith('image/') && !['pdf', 'ofd'].includes(ext)) throw refusals.notScanned(name);
}

/** The fields of a signature in its registration. */
const signedLabels = {
  sign_date: '签订日期',
  effective_date: '生效日期',
  signed_by: '我方签署人',
  authority: '签署身份',
  copies_total: '总份数',
  copies_kept: '我方留存份数',
  keeper: '原件保管人',
};

/** A signature this many years before drafting is a typing error of the year, or belongs to a contract not drafted here. */
const signedYears = 5;

/** 签订登记: plans become rows, the first term begins, and the signed facts are fixed. */
export async function sign(making: Making, input: InputOf<'sign'>): Promise<Made> {
  const { context, row, today } = making;
  const { tx, user } = context;
  const { sign_date, signed_file, authority: signer, copies_total, copies_kept, keeper } = input;
  if (sign_date > today) throw refusals.inFuture('签订日期', sign_date);
  const drafted = row.gmt_created.slice(0, 10);
  if (sign_date < addMonths(drafted, -signedYears * 12)) throw refusals.signedLongAgo(sign_date, drafted, signedYears);
  const effective_date = input.effective_date ?? sign_date;
  const agreed = { ...row, late_signed: true };
  refuseEarly('签订日期', sign_date, agreed);
  refuseEarly('生效日期', effective_date, agreed);
  const ends = row.nature === nature.supplement ? null : row.end_date;
  if (ends !== null && effective_date > ends) throw refusals.afterEnd('生效日期', effective_date, ends);
  const authority_file = input.authority_file ?? null;
  if (signer === authority.authorised && authority_file === null) throw refusals.authorityMissing();
  if (copies_kept > copies_total) throw refusals.tooManyKept(copies_kept, copies_total);
  if ((await workingAmong(tx, [keeper])).length === 0) throw absent('原件保管人');
  if (input.signed_by && !(await peopleById(tx, [input.signed_by])).has(input.signed_by)) throw absent('我方签署人');
  await refuseMovedText(tx, row);
  await refuseInapplicable(tx, row);
  const rules = await rulesOf(tx);
  if (rules.need_stamp && row.stamp_application_id === null) throw refusals.notSealed();
  const approvedOn = row.approved_at?.slice(0, 10) ?? sign_date;
  const columns = {
    stage: stage.running,
    sign_date,
    signed_file,
    authority: signer,
    authority_file,
    copies_total,
    copies_kept,
    keeper,
    signed_by: input.signed_by ?? user.id,
    effective_date,
    backdated: sign_date < approvedOn,
    late_signed: Boolean(input.first_paid_before_signing) || (row.start_date !== null && row.start_date < sign_date),
  };
  const people = await peopleById(tx, [keeper, columns.signed_by]);
  const nameOf = (id: number) => people.get(id)?.alias ?? '';
  const told = {
    ...columns,
    authority: authority.label(signer),
    keeper: nameOf(keeper),
    signed_by: nameOf(columns.signed_by),
  };
  const changes = changesOf(signedLabels, {}, told);
  const after = await write(making, { type: 'sign', columns, changes, files: [signed_file, authority_file] });
  await requireScans(tx, [signed_file, authority_file]);
  await begin(tx, after, sign_date);
  const to = [managers, finance, headOfDept(row)];
  const content = `${calledIn(row)}已于 ${sign_date} 签订，进入履行。`;
  await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: user.id }, to);
  return { row: after };
}

/** Starts performance after the signature; a supplement starts nothing, because a registration applies it to its contract. */
export async function begin(tx: Db, row: Stored, signed: string): Promise<void> {
  if (row.nature === nature.supplement) return;
  await writeTerm(tx, row.id, firstTerm(agreedOf(row), signed));
  await writePlans(tx, row, row.plans);
}

/** The agreed term of a contract. */
export const agreedOf = (row: Stored): Agreed => ({
  start: row.start_date,
  end: row.end_date,
  renewal: row.renewal,
  months: row.renewal_months,
  noticeDays: row.notice_days,
});
export const writeTerm = (tx: Db, contract_id: number, { no, start, end, notice }: Term) =>
  tx
    .insert(contractTermTable)
    .values({ contract_id, no, start_date: start, end_date: end, notice_date: notice })
    .onConflictDoNothing({ target: [contractTermTable.contract_id, contractTermTable.no] })
    .returning({ id: contractTermTable.id });

/** Writes planned rows; the undertaker handles them. */
export async function writePlans(tx: Db, row: Stored, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return;
  await tx.insert(contractPerformanceTable).values(
    plans.map((plan) => ({
      contract_id: row.id,
      kind: plan.kind,
      direction: plan.direction ?? null,
      gives_back: plan.kind === planKind.deposit && plan.gives_back === true,
      period: plan.period,
      name: plan.name,
      condition: plan.condition,
      plan_date: plan.plan_date,
      plan_amount: plan.plan_amount ?? null,
      handler: row.undertaker,
    })),
  );
}
