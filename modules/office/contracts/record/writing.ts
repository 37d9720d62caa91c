import { and, desc, eq, sql } from 'drizzle-orm';
import { moneyText } from '#kernel/contract/money/money.ts';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { absent, invalid, unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { speaksFor } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { readLater } from '#modules/office/documents/service.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import { deptNamesById, workingAmong } from '#modules/platform/people/service.ts';
import type { ColumnsOf, RecordViewer } from '#modules/workflow/records/service.ts';
import { direction, nature, planKind, renewal } from '../contract/codes.ts';
import type { ContractInput, Plan } from '../contract/shapes.ts';
import { parentUnfit } from '../contract/refusals.ts';
import { daysWrong } from '../engine/days.ts';
import { registerSides } from '../parties/known.ts';
import { sidesOf, sidesWrong } from '../parties/sides.ts';
import { contractCategoryTable, contractSideTable, contractTable } from '../tables.ts';
import { frozenFiles, settleText } from '../texts/freezing.ts';
import { page } from '../register/part.ts';
import { contracts, module, type Stored } from './record.ts';

type Sent = Partial<ContractInput>;
type Columns = ColumnsOf<typeof contractTable>;
const own = [
  'name',
  'category_id',
  'nature',
  'parent_id',
  'pay_direction',
  'our_party',
  'amount',
  'tax_rate',
  'amount_cap',
  'fund_source',
  'purchase_mode',
  'bid_no',
  'undertaker',
  'dept_id',
  'start_date',
  'end_date',
  'renewal',
  'renewal_months',
  'notice_days',
  'remind_days',
  'deposit',
  'warranty_end',
  'dispute',
  'party_signed',
  'plans',
  'attachments',
] as const;

/** The columns of the sent fields. Number, stage and signature cannot be written. */
export async function columnsOf(tx: Db, sent: Sent, viewer: RecordViewer, before: Stored | null): Promise<Columns> {
  const given = Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => value !== undefined && (own as readonly string[]).includes(key)),
  ) as Columns;
  const { user } = viewer;
  const start = before === null ? { ...(await startOf(tx, sent, user)), ...given } : given;
  const next = { ...before, ...start } as Stored;
  const fixed = settled(next);
  const sides = sent.parties ?? (before && sent.our_party !== undefined ? await sidesOf(tx, before.id) : []);
  const errors = [
    ...faultsOf({ ...next, ...fixed }),
    ...sidesWrong(
      next.our_party,
      sides.map((side) => side.name),
    ),
  ];
  if (errors.length > 0) throw invalid(errors);
  await refuseUnknown(tx, next, before);
  const parent = next.parent_id ? await contracts.requireVisible(tx, viewer, next.parent_id) : null;
  if (parent && parent.id !== before?.parent_id) refuseUnfit(next, parent);
  if (next.dept_id !== before?.dept_id && next.dept_id !== parent?.dept_id && !undertakes(user, next.dept_id))
    throw invalid([{ field: 'dept_id', label: '承办部门', msg: '不是您所在或管辖的部门，请重新选择' }]);
  const words = sent.parties && {
    party_words: sent.parties
      .map((side) => side.name)
      .join(' ')
      .slice(0, 600),
  };
  const { text_mode, template_version_id, content, text_values, file } = await settleText(tx, sent, before);
  // A supplement has its contract's direction by default.
  const same = before === null && next.nature === nature.supplement && sent.pay_direction === undefined && parent;
  return {
    ...start,
    ...(same ? { pay_direction: parent.pay_direction } : {}),
    ...fixed,
    ...words,
    text_mode,
    template_version_id,
    content,
    text_values,
    file,
  };
}

/** The defaults of a draft: the category of the user's last contract, or the last of all. */
async function startOf(tx: Db, sent: Sent & { submit?: boolean }, user: Viewer): Promise<Columns> {
  const start = { undertaker: user.id, our_party: '', ...(user.depts[0] ? { dept_id: user.depts[0] } : {}) };
  if (sent.category_id !== undefined) return start;
  if (sent.submit) throw invalid([{ field: 'category_id', label: '合同类别', msg: unfilled }]);
  const { id, status, order_id } = contractCategoryTable;
  const [usual] = await tx
    .select({ id })
    .from(contractCategoryTable)
    .where(eq(status, true))
    .orderBy(
      sql`(select max(c.id) from contract c where c.creator_id = ${user.id} and c.category_id = ${id}) desc nulls last`,
      desc(order_id),
      desc(id),
    )
    .limit(1);
  if (!usual) throw absent('合同类别');
  return { ...start, category_id: usual.id };
}

/** True if the user may draft for the department: their own, or one in their scope. */
const undertakes = (user: Viewer, dept: number): boolean =>
  speaksFor(user, dept, scopeOf(user, 'Create', 'contract/list'), scopeOf(user, 'Update', page));

/** Refuses a wrong parent: a supplement needs a contract or framework, a call-off needs a framework. */
function refuseUnfit(next: Stored, parent: Stored): void {
  const fits =
    next.nature === nature.supplement ? parent.nature !== nature.supplement : parent.nature === nature.framework;
  if (!fits) throw parentUnfit();
}

/** Derived columns, and those cleared because another field rules them out. */
function settled(next: Stored): Columns {
  const what = next.nature ?? nature.usual;
  const plans = (next.plans ?? []).map((plan: Plan) => ({ ...plan, direction: directionOf(plan) }));
  return {
    plans,
    ...(what === nature.framework ? { parent_id: null } : { amount_cap: null }),
    ...(next.renewal === renewal.tacit ? {} : { renewal_months: null }),
  };
}
const directionOf = (plan: Plan) =>
  plan.kind === planKind.payment
    ? direction.out
    : plan.kind === planKind.receipt
      ? direction.in
      : (plan.direction ?? null);

/** Faults that constraints of the database would refuse, and obvious typing errors. */
function faultsOf(next: Stored): FieldError[] {
  const whole = next.nature === nature.framework ? (next.amount_cap ?? 0) : (next.amount ?? 0);
  const drafted = next.gmt_created?.slice(0, 10) ?? dayOf(houseNow());
  const asked: [field: string, label: string, right: boolean, msg: string][] = [
    ['dept_id', '承办部门', Boolean(next.dept_id), unfilled],
    [
      'notice_days',
      '提前通知天数',
      !next.notice_days ||
        !next.renewal ||
        !next.start_date ||
        !next.end_date ||
        dayAfter(next.end_date, -next.notice_days) >= next.start_date,
      `${next.notice_days} 天长于合同期限（${next.start_date} 至 ${next.end_date}），通知日会早于合同开始，请改小`,
    ],
    [
      'warranty_end',
      '质保到期',
      !next.warranty_end || !next.start_date || next.warranty_end >= next.start_date,
      `${next.warranty_end} 早于开始日期 ${next.start_date}，请核对`,
    ],
    [
      'deposit',
      '履约保证金',
      next.pay_direction === direction.none || !whole || (next.deposit ?? 0) <= whole,
      `${moneyText(next.deposit ?? 0)} 元超过${next.nature === nature.framework ? '框架上限' : '合同金额'} ${moneyText(whole)} 元，请核对`,
    ],
    ['renewal_months', '每次顺延月数', next.renewal !== renewal.tacit || Boolean(next.renewal_months), unfilled],
    ['parent_id', '主合同', next.nature !== nature.supplement || Boolean(next.parent_id), unfilled],
    ['parent_id', '主合同', !next.parent_id || next.parent_id !== next.id, '不能是自己'],
    [
      'plans',
      '履约计划',
      (next.plans ?? []).every((plan) => plan.kind !== planKind.deposit || Boolean(plan.direction)),
      '保证金请选择收付',
    ],
  ];
  const days = daysWrong({ start_date: next.start_date ?? null, end_date: next.end_date ?? null }, drafted);
  return [...asked.flatMap(([field, label, right, msg]) => (right ? [] : [{ field, label, msg }])), ...days];
}

async function refuseUnknown(tx: Db, next: Stored, before: Stored | null): Promise<void> {
  if (next.category_id !== before?.category_id) {
    const open = and(eq(contractCategoryTable.id, next.category_id), eq(contractCategoryTable.status, true));
    if ((await tx.$count(contractCategoryTable, open)) === 0) throw absent('合同类别');
  }
  if (next.dept_id !== before?.dept_id && !(await deptNamesById(tx, [next.dept_id])).has(next.dept_id))
    throw absent('承办部门');
  if (next.undertaker !== before?.undertaker && (await workingAmong(tx, [next.undertaker])).length === 0)
    throw absent('承办人');
}

/** Writes the related tables of a contract: sides and files. */
export async function writeBeside(tx: Db, row: Stored, sent: Sent, { user }: RecordViewer, before: Stored | null) {
  if (sent.parties) await writeSides(tx, row.id, sent.parties);
  const [held, had] = [filesOf(row), before ? filesOf(before) : []];
  const frozen = await frozenFiles(tx, row.id);
  const gone = had.filter((one) => !held.includes(one) && !frozen.has(one));
  await detachAll(tx, { fileIds: gone, module, recordId: row.id });
  await attachAll(tx, { fileIds: held.filter((one) => !had.includes(one)), module, recordId: row.id, user });
  if (row.file !== null && row.file !== before?.file) await readLater(tx, row.file);
}
const filesOf = ({ file, attachments }: Stored) => [...attachments, ...(file === null ? [] : [file])];

/** Replaces the other sides of a contract, in order and without duplicates. */
export async function writeSides(tx: Db, contractId: number, parties: NonNullable<Sent['parties']>): Promise<void> {
  const known = await registerSides(tx, parties);
  const once = [...new Map(known.map((side) => [side.party_id, side])).values()];
  // Forms do not get bank accounts, so a side sent without one keeps its account.
  const before = await tx.delete(contractSideTable).where(eq(contractSideTable.contract_id, contractId)).returning();
  const banks = new Map(before.map((side) => [side.party_id, side]));
  if (once.length === 0) return;
  await tx.insert(contractSideTable).values(
    once.map((side, index) => ({
      contract_id: contractId,
      no: index + 1,
      party_id: side.party_id,
      name: side.name,
      role: side.role,
      credit_code: side.credit_code,
      legal_person: side.legal_person,
      contact_name: side.contact_name,
      contact_phone: side.contact_phone,
      address: side.address,
      bank_name: side.bank_name || (banks.get(side.party_id)?.bank_name ?? ''),
      bank_account: side.bank_account || (banks.get(side.party_id)?.bank_account ?? ''),
    })),
  );
}
