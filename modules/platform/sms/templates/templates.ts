import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { smsType } from '../contract/labels.ts';
import { signatureInside, templateBuiltIn, templateCodeTaken } from '../contract/refusals.ts';
import { smsTemplates } from '../contract/templates.ts';
import { placesOf } from '../engine/text.ts';
import { systemTemplates } from './system.ts';
import { smsTemplateTable } from '../tables.ts';
import { own } from '../sending/wording.ts';

type Row = typeof smsTemplateTable.$inferSelect;
const isSystems = (code: string) => Object.hasOwn(systemTemplates, code);

export const templateHandlers = nounHandlers(smsTemplates, {
  table: smsTemplateTable,
  noun: '短信模板',
  shows: () => (row) => ({ params: placesOf(row.content) }),
  refuses: (row, _viewer, code) => (code === 'Delete' && isSystems(row.code) ? templateBuiltIn(row.name) : null),
  check(_work, { row, before }) {
    const kept = !before || (before.code === row.code && before.type === row.type && before.status === row.status);
    if (before && isSystems(before.code) && !kept) throw templateBuiltIn(before.name);
    checkPlaces(row);
    return columnsOf(row);
  },
  unique: { sms_template_code_unique: (row) => templateCodeTaken(row.code) },
});

/** Templates for people's messages: active, and not for verification codes. */
export async function usableTemplates(tx: Db) {
  const rows = await tx
    .select()
    .from(smsTemplateTable)
    .where(
      and(
        eq(smsTemplateTable.is_deleted, false),
        eq(smsTemplateTable.status, onOff.on),
        sql`${smsTemplateTable.type} <> ${inSql(smsType.code)}`,
      ),
    )
    .orderBy(asc(smsTemplateTable.code));
  return rows.map(({ id, name, content }) => ({ id, name, content, params: placesOf(content) }));
}

/** Nobody would fill any other placeholder. */
function checkPlaces({ code, content }: Pick<Row, 'code' | 'content'>): void {
  const known = isSystems(code) ? systemTemplates[code] : undefined;
  const strange = known && placesOf(content).filter((place) => ![...known, ...own].includes(place));
  if (!strange?.length) return;
  const names = (places: readonly string[]) => places.map((place) => `{${place}}`).join('、');
  const msg = `系统不会填写 ${names(strange)}，请删去；可用的有 ${names([...known!, 'name'])}`;
  throw invalid([{ field: 'content', label: '内容', msg }]);
}

type Columns = Pick<Row, 'code' | 'name' | 'content' | 'type' | 'sign' | 'provider_template_id' | 'status'>;

export function columnsOf({ code, name, content, type, sign, provider_template_id, status }: Columns) {
  if (/[【】]/.test(content)) throw signatureInside();
  if (type === smsType.code && !placesOf(content).includes('code'))
    throw invalid([{ field: 'content', label: '内容', msg: '验证码模板须含有 {code}' }]);
  const search = searchVector({ names: [name], texts: [content], codes: [code] });
  return { code, name, content, type, sign, provider_template_id, status, search };
}

interface SeedTemplate {
  name: string;
  content: string;
  type: number;
}
/** Adds templates of modules if they are missing. */
export async function seedTemplates(tx: Db, wanted: Readonly<Record<string, SeedTemplate>>): Promise<void> {
  const codes = Object.keys(wanted);
  const known = await tx
    .select({ code: smsTemplateTable.code })
    .from(smsTemplateTable)
    .where(inArray(smsTemplateTable.code, codes));
  const missing = codes.filter((code) => !known.some((row) => row.code === code));
  if (missing.length === 0) return;
  await tx
    .insert(smsTemplateTable)
    .values(
      missing.map((code) =>
        columnsOf({ ...wanted[code]!, code, sign: '', provider_template_id: '', status: onOff.on }),
      ),
    );
}
