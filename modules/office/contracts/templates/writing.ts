import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import {
  noEmptyTemplate,
  templateDefault,
  templateNameTaken,
  templateUsed,
  variableTwice,
  variableUnknown,
} from '../contract/refusals-text.ts';
import { templateStatus, type contractTemplates, type TemplateVariable } from '../contract/templates.ts';
import { contractCategoryTable, contractTemplateTable, contractTemplateVersionTable } from '../tables.ts';
import { cleanTemplate, variablesIn } from '../texts/elements.ts';
import { usedTimes } from '../texts/freezing.ts';
import { used } from './reading.ts';

const { draft } = templateStatus;
const taken = (name: string) => refuseOn('contract_template_name', () => templateNameTaken(name));
type Work = Context & { user: Viewer };
type Words = { content: string; variables: TemplateVariable[] };

/** The cleaned text of a template; refuses variables that are not in the table, or listed twice. */
export function settled({ content: sent, variables }: Words): Words & { sha256: string } {
  const content = cleanTemplate(sent);
  if (content === '') throw noEmptyTemplate();
  const keys = variables.map((one) => one.key);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice) throw variableTwice(twice);
  const unknown = variablesIn(content).filter((key) => !keys.includes(key));
  if (unknown.length > 0) throw variableUnknown(unknown);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([content, variables]))
    .digest('hex');
  return { content, variables, sha256 };
}

const factsOf = ({ name, status }: { name: string; status: number }, no: number, sha256: string) => ({
  模板名称: name,
  状态: templateStatus.label(status),
  版本: no,
  正文校验值: sha256,
});

export async function addTemplate(body: BodyOf<typeof contractTemplates.addTemplate>, { tx, user, audit }: Work) {
  const { name, category_id, change_log = '', effective_date = null } = body;
  const words = settled(body);
  await categoryThere(tx, category_id);
  const [row] = await tx.insert(contractTemplateTable).values({ name, category_id }).returning().catch(taken(name));
  const { id } = row!;
  await tx
    .insert(contractTemplateVersionTable)
    .values({ ...words, template_id: id, no: 1, change_log, effective_date, creator_id: user.id });
  audit({ type: '合同模板', id, title: name, after: factsOf(row!, 1, words.sha256) });
  return { id };
}

async function categoryThere(tx: Db, id: number): Promise<void> {
  if ((await tx.$count(contractCategoryTable, eq(contractCategoryTable.id, id))) === 0) throw absent('合同类别');
}

async function templateForUpdate(tx: Db, id: number) {
  const [row] = await tx.select().from(contractTemplateTable).where(eq(contractTemplateTable.id, id)).for('update');
  if (!row) throw absent('合同模板');
  const [version] = await tx
    .select({ version: contractTemplateVersionTable, used: usedTimes })
    .from(contractTemplateVersionTable)
    .where(and(eq(contractTemplateVersionTable.template_id, id), eq(contractTemplateVersionTable.no, row.version_no)));
  return { row, newest: version!.version, used: version!.used };
}

/** Changes a template. A text that is or was in use stays in its version, and a changed one becomes a new version. */
export async function changeTemplate(
  id: number,
  { version, ...body }: BodyOf<typeof contractTemplates.changeTemplate>,
  { tx, user, audit }: Work,
) {
  const { row, newest, used: times } = await templateForUpdate(tx, id);
  checkVersion('合同模板', row, version, { id, name: row.name, version: row.version });
  if (body.category_id) await categoryThere(tx, body.category_id);
  const words = settled({ content: body.content ?? newest.content, variables: body.variables ?? newest.variables });
  const changed = words.sha256 !== newest.sha256;
  const about = {
    change_log: body.change_log ?? (changed ? '' : newest.change_log),
    effective_date: body.effective_date === undefined ? newest.effective_date : body.effective_date,
  };
  const isNew = changed && (row.status !== draft || times > 0);
  const no = isNew ? row.version_no + 1 : row.version_no;
  const touches =
    isNew || changed || about.change_log !== newest.change_log || about.effective_date !== newest.effective_date;
  if (isNew)
    await tx
      .insert(contractTemplateVersionTable)
      .values({ ...words, ...about, template_id: id, no, creator_id: user.id });
  else if (touches && times === 0)
    await tx
      .update(contractTemplateVersionTable)
      .set({ ...words, ...about })
      .where(eq(contractTemplateVersionTable.id, newest.id));
  const next = {
    name: body.name ?? row.name,
    category_id: body.category_id ?? row.category_id,
    status: body.status ?? row.status,
    version_no: no,
  };
  await tx
    .update(contractTemplateTable)
    .set({ ...next, ...touched(contractTemplateTable) })
    .where(eq(contractTemplateTable.id, id))
    .catch(taken(next.name));
  const before = factsOf(row, row.version_no, newest.sha256);
  audit({ type: '合同模板', id, title: next.name, before, after: factsOf(next, no, words.sha256) });
  return { id };
}

/** Deletes a template that no contract was written from and no category names. */
export async function removeTemplate(id: number, { tx, audit }: Work) {
  const { row, newest } = await templateForUpdate(tx, id);
  const [count] = await tx.select({ used }).from(contractTemplateTable).where(eq(contractTemplateTable.id, id));
  if (count && count.used > 0) throw templateUsed(row.name, count.used);
  const [category] = await tx
    .select({ name: contractCategoryTable.name })
    .from(contractCategoryTable)
    .where(eq(contractCategoryTable.default_template_id, id));
  if (category) throw templateDefault(row.name, category.name);
  await tx.delete(contractTemplateTable).where(eq(contractTemplateTable.id, id));
  audit({ type: '合同模板', id, title: row.name, before: factsOf(row, row.version_no, newest.sha256) });
  return { id };
}
