import { and, asc, eq, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { smsTypes } from '../contract/labels.ts';
import { signatureInside, templateBuiltIn, templateCodeTaken } from '../contract/refusals.ts';
import type { Template, templates } from '../contract/templates.ts';
import { placesOf } from '../engine/text.ts';
import { systemTemplates } from '../service.ts';
import { smsTemplateTable } from '../tables.ts';
import { own } from '../sending/wording.ts';

const page = 'sms/template';
type Row = typeof smsTemplateTable.$inferSelect;
type Audit = Context['audit'];

const isSystems = (code: string) => Object.hasOwn(systemTemplates, code);

function shown(row: Row, user: Viewer): Template {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    content: row.content,
    type: row.type,
    sign: row.sign,
    provider_template_id: row.provider_template_id,
    status: row.status,
    params: placesOf(row.content),
    version: row.version,
    actions: [
      ...(holds(user, 'Update', page) ? ['update'] : []),
      ...(holds(user, 'Delete', page) && !isSystems(row.code) ? ['delete'] : []),
    ],
  };
}

const facts = (row: Row) => ({
  编码: row.code,
  名称: row.name,
  内容: row.content,
  类型: smsTypes[row.type as keyof typeof smsTypes],
  签名: row.sign,
  服务商模板编号: row.provider_template_id,
  状态: row.status === 1 ? '启用' : '停用',
});

export async function listTemplates(tx: Db, user: Viewer, query: QueryOf<typeof templates.templates>) {
  const select = tx
    .select()
    .from(smsTemplateTable)
    .where(
      and(
        eq(smsTemplateTable.is_deleted, false),
        matches(smsTemplateTable.search, query.search_value),
        query.type ? eq(smsTemplateTable.type, query.type) : undefined,
        query.status === undefined ? undefined : eq(smsTemplateTable.status, query.status),
      ),
    );
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: { code: smsTemplateTable.code, name: smsTemplateTable.name, gmt_created: smsTemplateTable.gmt_created },
    first: 'code',
    tie: smsTemplateTable.id,
  });
  return { ...found, value: found.value.map((row) => shown(row, user)) };
}

/** Templates somebody may send by: in use, and none of verification codes. */
export async function usableTemplates(tx: Db) {
  const rows = await tx
    .select()
    .from(smsTemplateTable)
    .where(
      and(eq(smsTemplateTable.is_deleted, false), eq(smsTemplateTable.status, 1), sql`${smsTemplateTable.type} <> 1`),
    )
    .orderBy(asc(smsTemplateTable.code));
  return rows.map(({ id, name, content }) => ({ id, name, content, params: placesOf(content) }));
}

export async function addTemplate(tx: Db, body: BodyOf<typeof templates.addTemplate>, audit: Audit) {
  const values = columnsOf(body);
  const [row] = await tx
    .insert(smsTemplateTable)
    .values(values)
    .returning()
    .catch(refuseOn('sms_template_code_unique', () => templateCodeTaken(body.code)));
  audit({ type: '短信模板', id: row!.id, title: row!.name, after: facts(row!) });
  return { id: row!.id };
}

export async function editTemplate(
  tx: Db,
  user: Viewer,
  id: number,
  { version, provider_template_id, ...given }: BodyOf<typeof templates.editTemplate>,
  audit: Audit,
) {
  const before = await templateToChange(tx, id);
  checkVersion('短信模板', before, version, shown(before, user));
  const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const after = { ...before, ...asked, provider_template_id: provider_template_id ?? before.provider_template_id };
  if (
    isSystems(before.code) &&
    (after.code !== before.code || after.type !== before.type || after.status !== before.status)
  )
    throw templateBuiltIn(before.name);
  checkPlaces(after);
  const [row] = await tx
    .update(smsTemplateTable)
    .set({ ...columnsOf(after), gmt_modified: sql`now()`, version: before.version + 1 })
    .where(eq(smsTemplateTable.id, id))
    .returning()
    .catch(refuseOn('sms_template_code_unique', () => templateCodeTaken(after.code)));
  audit({ type: '短信模板', id, title: row!.name, before: facts(before), after: facts(row!) });
  return { id };
}

export async function removeTemplate(tx: Db, id: number, audit: Audit) {
  const row = await templateToChange(tx, id);
  if (isSystems(row.code)) throw templateBuiltIn(row.name);
  await tx
    .update(smsTemplateTable)
    .set({ is_deleted: true, gmt_modified: sql`now()` })
    .where(eq(smsTemplateTable.id, id));
  audit({ type: '短信模板', id, title: row.name, before: facts(row) });
  return { id };
}

async function templateToChange(tx: Db, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(smsTemplateTable)
    .where(and(eq(smsTemplateTable.id, id), eq(smsTemplateTable.is_deleted, false)))
    .for('update');
  if (!row) throw absent('短信模板');
  return row;
}

/** Nobody would fill in any other place. */
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
  if (type === 1 && !placesOf(content).includes('code'))
    throw invalid([{ field: 'content', label: '内容', msg: '验证码模板须含有 {code}' }]);
  const search = searchVector({ names: [name], texts: [content], codes: [code] });
  return { code, name, content, type, sign, provider_template_id, status, search };
}
