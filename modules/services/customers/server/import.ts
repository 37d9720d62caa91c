import { and, eq, or, sql, type AnyColumn } from 'drizzle-orm';
import { z } from 'zod';
import { rowsWrong, type RowError } from '#kernel/contract/sheet/sheet.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { importHandlers, issuesOf } from '#kernel/server/import/handlers.ts';
import {
  deptNamesById,
  deptsNamed,
  deptUnclear,
  peopleById,
  peopleByName,
  peopleCalled,
  workingAmong,
} from '#modules/platform/people/service.ts';
import { customerLevel, customerStatus, customerType } from '../contract/codes.ts';
import { contactInput } from '../contract/contacts.ts';
import { customerInput } from '../contract/customers.ts';
import { customerImport, type ImportKey } from '../contract/import.ts';
import { contactTable, customerTable } from '../tables.ts';
import { contactSearch, sealedMobile } from './contacts.ts';
import { customerSearch } from './customers.ts';

const rowsAtOnce = 200;
type Line = SheetLine<ImportKey>;

/** A cell with the name of a value; an empty one gets the default. */
const byName = (names: Readonly<Record<number, string>>, first: number) =>
  z.string().transform((value, check) => {
    if (value === '') return first;
    const found = Object.entries(names).find(([, label]) => label === value);
    if (!found) check.addIssue(`请填写“${Object.values(names).join('”“')}”之一`);
    return Number(found?.[0]);
  });
const { name, code, credit_code, industry, source, phone, website, address, tags, remark } = customerInput;
const Cells = z
  .object({
    name,
    code,
    credit_code,
    industry,
    source,
    phone,
    website,
    address,
    remark,
    type: byName(customerType.names, 1),
    level: byName(customerLevel.names, 2),
    status: byName(customerStatus.names, 2),
    owner: z.string(),
    dept: z.string(),
    tags: z
      .string()
      .transform((all) => all.split(/[、,，;；\s]+/).filter(Boolean))
      .pipe(tags.unwrap()),
    contact_name: contactInput.name.or(z.literal('')),
    contact_post: contactInput.post,
    contact_mobile: contactInput.mobile,
    contact_phone: contactInput.phone,
    contact_email: contactInput.email,
  })
  .superRefine((row, check) => {
    const reached = row.contact_mobile !== '' || row.contact_phone !== '';
    const said = reached || row.contact_post !== '' || row.contact_email !== '';
    if (row.contact_name === '' && said)
      check.addIssue({ code: 'custom', path: ['contact_name'], message: '请填写联系人姓名，或清空该联系人的各列' });
    if (row.contact_name !== '' && !reached)
      check.addIssue({ code: 'custom', path: ['contact_mobile'], message: '手机和电话请至少填写一个' });
  });
type Cells = z.output<typeof Cells>;
type Contact = Record<'name' | 'post' | 'mobile' | 'phone' | 'email', string>;
interface NewCustomer {
  line: number;
  facts: Omit<Cells, 'owner' | 'dept' | `contact_${string}`>;
  owner: number;
  dept_id: number;
  contacts: Contact[];
}

const titles = Object.fromEntries(customerImport.columns.map(({ key, title }) => [key, title])) as Record<
  ImportKey,
  string
>;
const wrong = (line: number, key: ImportKey, msg: string): RowError => ({ row: line, field: titles[key], msg });

/** Existing customers with these names, codes or credit codes. */
async function known(tx: Db, rows: readonly Cells[]) {
  const c = customerTable;
  const among = (column: AnyColumn, values: string[]) => sql`${column} = any(${sql.param(values)}::text[])`;
  const codes = (key: 'code' | 'credit_code') => rows.map((row) => row[key]).filter(Boolean);
  const found = await tx
    .select({ name: c.plain_name, called: c.name, code: c.code, credit_code: c.credit_code, dept_id: c.dept_id })
    .from(c)
    .where(
      and(
        eq(c.is_deleted, false),
        or(
          sql`${c.plain_name} = any(${sql.param(rows.map((row) => plainly(row.name)))}::text[])`,
          among(c.code, codes('code')),
          among(c.credit_code, codes('credit_code')),
        ),
      ),
    );
  const depts = await deptNamesById(
    tx,
    found.map((row) => row.dept_id),
  );
  const whose = (row: (typeof found)[number]) =>
    `已有客户“${row.called}”（${depts.get(row.dept_id) ?? ''}），请核对，不要重复导入`;
  const by = (key: 'name' | 'code' | 'credit_code') => new Map(found.map((row) => [row[key], whose(row)]));
  return { name: by('name'), code: by('code'), credit_code: by('credit_code') };
}

/** People by user name, or by the name that an exported sheet has, if it is unique among active people. */
async function ownersOf(tx: Db, named: readonly string[]) {
  const people = await peopleByName(tx, named);
  const called = await peopleCalled(
    tx,
    named.filter((one) => !people.has(one)),
  );
  return new Map([...people, ...called]);
}

async function check(tx: Db, user: Viewer, lines: readonly Line[]) {
  const errors: RowError[] = [];
  const read = lines.flatMap(({ line, cells }) => {
    const parsed = Cells.safeParse(cells);
    if (!parsed.success) errors.push(...issuesOf(line, parsed.error, customerImport.columns));
    return parsed.success ? [{ line, row: parsed.data }] : [];
  });
  const there = await known(
    tx,
    read.map(({ row }) => row),
  );
  const people = await ownersOf(tx, [...new Set(read.map(({ row }) => row.owner).filter(Boolean))]);
  const mine = (await peopleById(tx, [user.id])).get(user.id);
  const working = new Set(
    await workingAmong(
      tx,
      Array.from(people.values(), ({ id }) => id),
    ),
  );
  const depts = await deptsNamed(
    tx,
    read.map(({ row }) => row.dept),
  );
  const scope = scopeOf(user, 'Create', customerImport.page);
  const customers = new Map<string, NewCustomer>();
  const given = { code: new Map<string, number>(), credit_code: new Map<string, number>() };
  for (const { line, row } of read) {
    const {
      owner: username,
      dept: named,
      contact_name,
      contact_post,
      contact_mobile,
      contact_phone,
      contact_email,
      ...facts
    } = row;
    const contact: Contact[] = contact_name
      ? [{ name: contact_name, post: contact_post, mobile: contact_mobile, phone: contact_phone, email: contact_email }]
      : [];
    const earlier = customers.get(plainly(row.name));
    if (earlier) {
      if (contact.length === 0)
        errors.push(wrong(line, 'contact_name', `与第 ${earlier.line} 行是同一客户，请填写联系人或删去该行`));
      if (contact_mobile !== '' && earlier.contacts.some((one) => one.mobile === contact_mobile))
        errors.push(wrong(line, 'contact_mobile', '与同一客户的另一位联系人相同'));
      earlier.contacts.push(...contact);
      continue;
    }
    const owner = username === '' ? mine : people.get(username);
    const dept = named === '' ? (owner?.dept_id ?? user.depts[0]) : (depts.get(named) ?? undefined);
    const reached =
      dept !== undefined && (scope.all || scope.depts.has(dept) || (owner === mine && user.depts.includes(dept)));
    if (!owner || (username !== '' && !working.has(owner.id)))
      errors.push(wrong(line, 'owner', `没有用户名或姓名为“${username}”的在职人员；有几人同名的，请填写用户名`));
    else if (named !== '' && dept === undefined)
      errors.push(wrong(line, 'dept', deptUnclear(named, depts.get(named) === null)));
    else if (!reached)
      errors.push(wrong(line, named === '' ? 'owner' : 'dept', `${named || `${owner.alias}的部门`}不在数据范围内`));
    const same = there.name.get(plainly(row.name));
    if (same) errors.push(wrong(line, 'name', same));
    for (const key of ['code', 'credit_code'] as const) {
      const other = row[key] === '' ? undefined : (there[key].get(row[key]) ?? given[key].get(row[key]));
      if (other !== undefined && !same)
        errors.push(wrong(line, key, typeof other === 'number' ? `与第 ${other} 行重复` : other));
      given[key].set(row[key], line);
    }
    customers.set(plainly(row.name), { line, facts, owner: owner?.id ?? 0, dept_id: dept ?? 0, contacts: contact });
  }
  return { rows: [...customers.values()], errors };
}

/** Imports all rows or none: a name that was added meanwhile is refused as an existing one. */
async function apply(tx: Db, user: Viewer, rows: readonly NewCustomer[], total: number) {
  let contacts = 0;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    const values = some.map(({ facts, owner, dept_id }) => ({
      ...facts,
      creator_id: user.id,
      owner,
      dept_id,
      follow_days: 90,
      search: customerSearch(facts),
    }));
    const made = await tx
      .insert(customerTable)
      .values(values)
      .onConflictDoNothing()
      .returning({ id: customerTable.id, name: customerTable.name });
    const ids = new Map(made.map((row) => [row.name, row.id]));
    const taken = some.filter(({ facts }) => !ids.has(facts.name));
    if (taken.length > 0) {
      const errors = taken.map(({ line }) => wrong(line, 'name', '刚被他人新增，请核对后重新上传'));
      throw rowsWrong(customerImport.what, errors, total, total - taken.length);
    }
    const people = some.flatMap(({ facts, contacts: those }) =>
      those.map(({ mobile, ...said }, no) => {
        const sealed = sealedMobile(tx.services.secretBox, mobile);
        const search = contactSearch({ ...said, dept: '', ...sealed });
        return {
          ...said,
          ...sealed,
          creator_id: user.id,
          customer_id: ids.get(facts.name)!,
          is_primary: no === 0,
          search,
        };
      }),
    );
    if (people.length > 0) await tx.insert(contactTable).values(people);
    contacts += people.length;
  }
  return { customers: rows.length, contacts };
}

export const importModule = implement(
  'customers',
  customerImport.calls,
  importHandlers(customerImport, {
    check,
    apply: (tx, user, rows: readonly NewCustomer[], { lines }) => apply(tx, user, rows, lines.length),
    nothing: { customers: 0, contacts: 0 },
    logged: (rows, more) => ({ 客户: rows.map(({ facts }) => facts.name).slice(0, 50), 联系人数: more.contacts }),
  }),
);
