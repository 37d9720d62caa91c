import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { templateStatus, type contractTemplates, type TemplateVariable } from '../contract/templates.ts';
import { contractCategoryTable, contractTemplateTable, contractTemplateVersionTable } from '../tables.ts';
import { changesBetween, filled, labelled } from '../texts/elements.ts';
import { templateVersion, usedTimes } from '../texts/freezing.ts';

const page = 'contract/template';
/** The number of newest versions that are compared with the one before. */
const compared = 10;
const { inUse } = templateStatus;
type Work = Context & { user: Viewer };
type Words = { content: string; variables: TemplateVariable[] };

/** The number of contracts written from any version of a template. */
export const used = sql<number>`(select count(*)::int from contract c
  join contract_template_version v on v.id = c.template_version_id where v.template_id = contract_template.id)`;
const columns = {
  id: contractTemplateTable.id,
  name: contractTemplateTable.name,
  category_id: contractTemplateTable.category_id,
  category_name: contractCategoryTable.name,
  status: contractTemplateTable.status,
  version_no: contractTemplateTable.version_no,
  change_log: contractTemplateVersionTable.change_log,
  effective_date: contractTemplateVersionTable.effective_date,
  used,
  gmt_modified: contractTemplateTable.gmt_modified,
  version: contractTemplateTable.version,
};
const newest = and(
  eq(contractTemplateVersionTable.template_id, contractTemplateTable.id),
  eq(contractTemplateVersionTable.no, contractTemplateTable.version_no),
);
const rows = (tx: Db) =>
  tx
    .select(columns)
    .from(contractTemplateTable)
    .innerJoin(contractCategoryTable, eq(contractCategoryTable.id, contractTemplateTable.category_id))
    .innerJoin(contractTemplateVersionTable, newest)
    .$dynamic();

const actionsOn = (user: Viewer, row: { status: number; used: number }) => [
  ...(holds(user, 'Update', page) ? ['update', row.status === inUse ? 'disable' : 'enable'] : []),
  ...(holds(user, 'Delete', page) && row.used === 0 ? ['delete'] : []),
];

export async function listTemplates(asked: QueryOf<typeof contractTemplates.templates>, { tx, user }: Work) {
  const where = and(
    asked.category_id ? eq(contractTemplateTable.category_id, asked.category_id) : undefined,
    asked.status === undefined ? undefined : eq(contractTemplateTable.status, asked.status),
    asked.search_value ? contains(contractTemplateTable.name, asked.search_value) : undefined,
  );
  const found = await pageOf(tx, asked, rows(tx).where(where), {
    by: { gmt_modified: contractTemplateTable.gmt_modified, name: contractTemplateTable.name, used },
    first: 'gmt_modified',
    descending: true,
    tie: contractTemplateTable.id,
  });
  return { ...found, value: found.value.map((row) => ({ ...row, actions: actionsOn(user, row) })) };
}

/** A template with all its versions and their changes. */
export async function templateDetail(tx: Db, user: Viewer, id: number) {
  const [row] = await rows(tx).where(eq(contractTemplateTable.id, id));
  if (!row) throw absent('合同模板');
  const versions = await tx
    .select({ version: contractTemplateVersionTable, used: usedTimes })
    .from(contractTemplateVersionTable)
    .where(eq(contractTemplateVersionTable.template_id, id))
    .orderBy(desc(contractTemplateVersionTable.no))
    .limit(50);
  const people = await peopleById(
    tx,
    versions.flatMap(({ version }) => version.creator_id ?? []),
  );
  const wordsOf = ({ content, variables }: Words) => labelled(content, variables);
  const shown = versions.map(({ version, used: times }, at) => {
    const before = versions[at + 1]?.version;
    const { template_id: _template, sha256: _sha256, creator_id, ...rest } = version;
    return {
      ...rest,
      used: times,
      who: people.get(creator_id ?? 0)?.alias ?? '系统',
      diff: before && at < compared ? changesBetween(wordsOf(before), wordsOf(version)) : [],
    };
  });
  return { ...row, actions: actionsOn(user, row), versions: shown };
}

/** Templates in use, for writing a contract. */
export const templateOptions = (tx: Db, category?: number) =>
  tx
    .select({
      id: contractTemplateTable.id,
      name: contractTemplateTable.name,
      category_id: contractTemplateTable.category_id,
      version_no: contractTemplateTable.version_no,
      version_id: contractTemplateVersionTable.id,
    })
    .from(contractTemplateTable)
    .innerJoin(contractTemplateVersionTable, newest)
    .where(
      and(
        eq(contractTemplateTable.status, inUse),
        category ? eq(contractTemplateTable.category_id, category) : undefined,
      ),
    )
    .orderBy(asc(contractTemplateTable.name))
    .limit(200);

const samples = { text: '示例文字', date: '2026年1月1日', money: '10,000.00', number: '10' } as const;

/** A version of a template, the newest by default, as stored and with sample values. */
export async function templateHtml(tx: Db, user: Viewer, id: number, no?: number) {
  const [row] = await tx.select().from(contractTemplateTable).where(eq(contractTemplateTable.id, id));
  if (!row || (row.status !== inUse && !holds(user, 'Retrieve', page))) throw absent('合同模板');
  const [found] = await tx
    .select({ id: contractTemplateVersionTable.id })
    .from(contractTemplateVersionTable)
    .where(
      and(eq(contractTemplateVersionTable.template_id, id), eq(contractTemplateVersionTable.no, no ?? row.version_no)),
    );
  const version = found && (await templateVersion(tx, found.id));
  if (!version) throw absent('合同模板的这一版');
  const types = new Map(version.variables.map((one) => [one.key, one]));
  const html = filled(version.content, (key) => {
    const { type = 'text', label = key } = types.get(key) ?? {};
    return type === 'text' ? `（${label}）` : samples[type];
  });
  const { content, variables } = version;
  return { id, name: row.name, version_id: version.id, no: version.no, content, variables, html };
}
