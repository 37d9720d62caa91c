import { houseNow } from '#kernel/server/process/clock.ts';
import { and, inArray, ne } from 'drizzle-orm';
import { z } from 'zod';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { fenOf, money, moneyRead, yuanOf } from '#kernel/contract/money/money.ts';
import { day, line, name } from '#kernel/contract/shapes.ts';
import { rowsWrong, type RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { importHandlers, issuesOf, type Read } from '#kernel/server/import/handlers.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { peopleByName, peopleCalled } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, planKind, stage } from '../contract/codes.ts';
import { creditCode } from '../contract/parties.ts';
import { contractImport, type ContractKey } from '../contract/performing/import.ts';
import { daysWrong } from '../engine/days.ts';
import { contracts } from '../record/record.ts';
import { writeSides } from '../record/writing.ts';
import { begin } from '../register/sign.ts';
import { contractCategoryTable, contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';

const amount = z
  .string()
  .transform((typed) => (typed === '' ? 0 : (moneyRead(typed) ?? Number.NaN)))
  .pipe(money);
const maybeDay = z.preprocess((typed) => (typed === '' ? null : typed), day.nullable());
const Row = z
  .object({
    contract_no: name(40),
    name: name(120),
    category: name(30),
    party: name(100),
    credit_code: creditCode,
    pays: z.enum(Object.values(direction.names) as [string], '请填写“支出”“收入”或“无金额”'),
    amount,
    paid: amount,
    sign_date: day,
    start_date: maybeDay,
    end_date: maybeDay,
    undertaker: line(50).min(1, '请填写'),
  })
  .superRefine((row, check) => {
    const wrong = (path: ContractKey, message: string) => check.addIssue({ code: 'custom', path: [path], message });
    const today = dayOf(houseNow());
    for (const { field, msg } of daysWrong(row, today)) wrong(field as ContractKey, msg);
    if (row.sign_date > today) wrong('sign_date', '晚于今天');
    if (row.paid > row.amount) wrong('paid', '超过合同金额');
    if (row.pays !== direction.names[3] && row.amount === 0) wrong('amount', '请填写');
    if (row.pays === direction.names[3] && (row.amount > 0 || row.paid > 0))
      wrong('pays', `填了金额，却是“${direction.names[3]}”：请改填“支出”或“收入”，没有金额的请清空金额和已收付`);
  });
type Row = z.output<typeof Row>;
const paysOf = (row: Row) => Number(Object.entries(direction.names).find(([, label]) => label === row.pays)![0]);

function read(lines: readonly SheetLine<ContractKey>[]): Read<Row> {
  const rows: Row[] = [];
  const errors: RowError[] = [];
  for (const { line: at, cells } of lines) {
    const tried = Row.safeParse(cells);
    if (tried.success) rows.push(tried.data);
    errors.push(...issuesOf(at, tried.error, contractImport.columns));
  }
  return { rows, errors };
}

/** The existing records that the lines refer to. */
async function known(tx: Db, lines: readonly { contract_no: string; category: string; undertaker: string }[]) {
  const categories = await tx
    .select({ id: contractCategoryTable.id, code: contractCategoryTable.code, name: contractCategoryTable.name })
    .from(contractCategoryTable);
  const numbers = lines.map((one) => one.contract_no);
  const taken =
    numbers.length === 0
      ? []
      : await tx
          .select({ no: contractTable.contract_no })
          .from(contractTable)
          .where(and(inArray(contractTable.contract_no, numbers), ne(contractTable.contract_no, '')));
  return {
    categories: categoriesBy(categories),
    taken: new Set(taken.map((one) => one.no)),
    people: await undertakersOf(tx, [...new Set(lines.map((one) => one.undertaker))]),
  };
}

/** Categories by code, or by name as in an exported sheet; all of an ambiguous name are returned. */
function categoriesBy(all: readonly { id: number; code: string; name: string }[]) {
  const byCode = new Map(all.map((one) => [plainly(one.code), [one]]));
  const byName = Map.groupBy(all, (one) => plainly(one.name));
  return (typed: string) => byCode.get(plainly(typed)) ?? byName.get(plainly(typed)) ?? [];
}

/** People by user name, or by a name unique among active people, in full or half width. */
async function undertakersOf(tx: Db, named: readonly string[]) {
  const people = await peopleByName(tx, named);
  const called = await peopleCalled(
    tx,
    named.filter((one) => !people.has(one)),
  );
  return new Map([...people, ...called]);
}

async function check(tx: Db, lines: readonly SheetLine<ContractKey>[]): Promise<RowError[]> {
  const found = await known(
    tx,
    lines.map((one) => one.cells),
  );
  return lines.flatMap(({ line: row, cells }): RowError[] => {
    const wrong = (is: boolean, field: string, msg: string) => (is ? [{ row, field, msg }] : []);
    const person = found.people.get(cells.undertaker);
    const fits = found.categories(cells.category);
    const several = `有 ${fits.length} 个类别叫“${cells.category}”，请改填类别代码：${fits
      .map((one) => one.code)
      .toSorted()
      .join('、')}`;
    return [
      ...wrong(found.taken.has(cells.contract_no), '合同编号', '编号已经在台账中'),
      ...wrong(cells.category !== '' && fits.length === 0, '类别代码', '没有这个类别'),
      ...wrong(cells.category !== '' && fits.length > 1, '类别代码', several),
      ...wrong(cells.undertaker !== '' && !person, '承办人账号', '没有这个在职人员'),
      ...wrong(person !== undefined && person.dept_id === null, '承办人账号', '没有所在部门'),
    ];
  });
}

async function takeOver(tx: Db, creator_id: number, row: Row, found: Awaited<ReturnType<typeof known>>): Promise<void> {
  const person = found.people.get(row.undertaker)!;
  const pays = paysOf(row);
  const [made] = await tx
    .insert(contractTable)
    .values({
      creator_id,
      act_state: actState.finished,
      stage: stage.toSign,
      imported: true,
      contract_no: row.contract_no,
      name: row.name,
      category_id: found.categories(row.category)[0]!.id,
      pay_direction: pays,
      our_party: '',
      party_words: row.party,
      amount: row.amount,
      undertaker: person.id,
      dept_id: person.dept_id!,
      start_date: row.start_date,
      end_date: row.end_date,
      sign_date: row.sign_date,
      effective_date: row.sign_date,
      search: searchVector({
        codes: [row.contract_no],
        texts: [row.name],
        names: [row.party],
      }),
    })
    .returning();
  const contract = made!;
  await writeSides(tx, contract.id, [partyOf(row)]);
  await contracts.set(tx, contract, { stage: stage.running });
  await begin(tx, contract, row.sign_date);
  if (pays === 3) return;
  const what = planKind.label(pays);
  const rows = { contract_id: contract.id, kind: pays, direction: pays, handler: person.id };
  const rest = yuanOf(fenOf(row.amount) - fenOf(row.paid));
  const due = row.end_date ?? dayAfter(dayOf(houseNow()), 30);
  if (rest > 0)
    await tx
      .insert(contractPerformanceTable)
      .values({ ...rows, name: `未结清${what}`, plan_date: due, plan_amount: rest });
  if (row.paid === 0) return;
  const earlier = { ...rows, name: `补录前已${what}`, plan_date: row.sign_date, plan_amount: row.paid };
  const [done] = await tx
    .insert(contractPerformanceTable)
    .values(earlier)
    .returning({ id: contractPerformanceTable.id });
  await tx.insert(contractEntryTable).values({
    contract_id: contract.id,
    performance_id: done!.id,
    date: row.sign_date,
    amount: row.paid,
    remark: '存量补录',
    by: creator_id,
  });
}
const partyOf = ({ party, credit_code }: Row) => ({
  name: party,
  credit_code,
  role: '乙方',
  legal_person: '',
  contact_name: '',
  contact_phone: '',
  address: '',
  bank_name: '',
  bank_account: '',
});

export const contractImports = importHandlers(contractImport, {
  read,
  check: async (tx, _user, lines) => ({ errors: await check(tx, lines) }),
  async apply(tx, user, rows, { lines }) {
    const found = await known(tx, rows);
    // A concurrent import may have added the same rows.
    if (found.taken.size > 0) throw rowsWrong('存量合同', await check(tx, lines), lines.length, 0);
    for (const row of rows) await takeOver(tx, user.id, row, found);
    return {};
  },
  nothing: {},
  logged: (rows) => ({ 份数: rows.length }),
});
