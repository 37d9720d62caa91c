import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { cleanHtml } from '#kernel/server/text/rich-text.ts';
import type { Flow } from './administer.ts';
import { badDraft } from '../contract/refusals.ts';
import type { Definition } from '../engine/definition.ts';
import { draftFault, knownParts, nextId, withOwnIds, type KnownParts } from '../engine/identity.ts';
import { hashOf } from '../service.ts';
import { workflowTable, workflowVersionTable } from '../tables.ts';

export type VersionRow = typeof workflowVersionTable.$inferSelect;

/** All versions of a workflow, newest first. */
export function versionRows(tx: Db, flow: Flow): Promise<VersionRow[]> {
  return tx
    .select()
    .from(workflowVersionTable)
    .where(eq(workflowVersionTable.workflow_id, flow.id))
    .orderBy(desc(workflowVersionTable.no));
}

/** The version being edited: the draft, or the published version if there is none. */
export function currentOf(rows: readonly VersionRow[]): VersionRow {
  const current =
    rows.find((row) => row.status === 'draft') ?? rows.find((row) => row.status === 'published') ?? rows[0];
  if (!current) throw new Error('a workflow without any version');
  return current;
}

export function knownOf(rows: readonly VersionRow[]): KnownParts {
  return knownParts(rows.filter((row) => row.status !== 'draft').map((row) => row.definition));
}

export function nextIds(rows: readonly VersionRow[]): { state: number; transition: number; field: number } {
  const known = knownOf(rows);
  const { definition } = currentOf(rows);
  return {
    state: nextId(known.states, definition.states),
    transition: nextId(known.transitions, definition.transitions),
    field: nextId(known.fields, definition.fields),
  };
}

/** A definition as it is stored: checked for what no draft may contain, under the workflow's name, with the numbers that belong to its parts. */
export function settled(name: string, wanted: Definition, known: KnownParts): Definition {
  const fault = draftFault(wanted);
  if (fault) throw badDraft(fault);
  const { print_template: printed, ...settings } = wanted.settings;
  const clean = cleanHtml(printed ?? '', { span: { attribute: 'data-variable', value: /^[a-z][a-z0-9_]{0,49}$/ } });
  return withOwnIds({ ...wanted, name, settings: { ...settings, ...(clean && { print_template: clean }) } }, known);
}

/** Replaces the draft; the only way a definition changes. A draft equal to the published version is dropped. */
export async function saveDraft(tx: Db, flow: Flow, wanted: Definition): Promise<Definition> {
  const rows = await versionRows(tx, flow);
  const definition = settled(flow.name, wanted, knownOf(rows));
  const hash = hashOf(definition);
  const published = rows.find((row) => row.status === 'published');
  if (published && hash === hashOf({ ...published.definition, name: flow.name })) {
    await discardDraft(tx, flow);
    return definition;
  }
  const draft = rows.find((row) => row.status === 'draft');
  if (draft) {
    await tx
      .update(workflowVersionTable)
      .set({ definition, hash, gmt_modified: sql`now()` })
      .where(eq(workflowVersionTable.id, draft.id));
  } else {
    await tx
      .insert(workflowVersionTable)
      .values({ workflow_id: flow.id, no: (rows[0]?.no ?? 0) + 1, status: 'draft', definition, hash });
  }
  return definition;
}

/** Discards the draft, if an earlier version remains. */
export async function discardDraft(tx: Db, flow: Flow): Promise<void> {
  const others = await tx.$count(
    workflowVersionTable,
    and(eq(workflowVersionTable.workflow_id, flow.id), ne(workflowVersionTable.status, 'draft')),
  );
  if (others === 0) throw badDraft('流程还没有发布过，草稿不能放弃');
  await tx
    .delete(workflowVersionTable)
    .where(and(eq(workflowVersionTable.workflow_id, flow.id), eq(workflowVersionTable.status, 'draft')));
}

/** Columns that every change of a workflow sets as well; returns the new version number of the lock. */
export async function touch(
  tx: Db,
  flow: Flow,
  change: Partial<typeof workflowTable.$inferInsert> = {},
): Promise<Flow> {
  const [row] = await tx
    .update(workflowTable)
    .set({ ...change, version: sql`${workflowTable.version} + 1`, gmt_modified: sql`now()` })
    .where(eq(workflowTable.id, flow.id))
    .returning();
  if (!row) throw new Error(`workflow ${flow.id} is gone`);
  return row;
}
