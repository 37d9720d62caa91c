import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { phonesOf } from '#modules/platform/people/service/phones.ts';
import { fieldAccess, fieldType } from '../engine/codes.ts';
import type { Field } from '../engine/definition.ts';

const asksPhone = ({ type, key, name }: Field) =>
  type === fieldType.string && (/(^|_)(phone|mobile|tel)$/.test(key) || /(联系|办公)?电话|手机号?码?$/.test(name));

/**
 * The applicant's own data for a new form: their department and, if they read it themselves, their number, if a field asks for one and has no value of
 * its own.
 */
export async function ownValues(
  tx: Db,
  applicant: Viewer,
  themselves: boolean,
  fields: readonly { field: Field; access: number }[],
): Promise<Map<string, unknown>> {
  const open = fields.flatMap(({ field, access }) =>
    access !== fieldAccess.read && field.default_value === null && !field.template ? [field] : [],
  );
  const [dept] = applicant.depts;
  const values = new Map<string, unknown>();
  if (dept !== undefined)
    for (const { key, type } of open)
      if (type === fieldType.dept || type === fieldType.depts) values.set(key, type === fieldType.dept ? dept : [dept]);
  const numbers = open.filter(asksPhone);
  const [own] = themselves && numbers.length > 0 ? await phonesOf(tx, [applicant.id]) : [];
  if (own?.phone) for (const { key } of numbers) values.set(key, own.phone);
  return values;
}
