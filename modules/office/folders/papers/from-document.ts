import { and, asc, eq, inArray } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Adopted } from '#modules/office/documents/service.ts';
import { copyFiles } from '#modules/platform/files/service.ts';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { unknownCategory } from '../contract/refusals.ts';
import { paperStatus } from '../contract/list.ts';
import { categoryTable, paperTable } from '../tables.ts';
import { module, page, papers, viewerOf } from './record.ts';
import { createPaper } from './writing.ts';

const longestTitle = 150;

/**
 * The paper made from a document that is a draft or in force: its title, null for viewers who may not see it. Null if there is no such
 * paper.
 */
export async function paperOf(tx: Db, viewer: Viewer, documentId: number): Promise<{ title: string | null } | null> {
  const living = inArray(paperTable.status, [paperStatus.draft, paperStatus.inForce]);
  const { id, title } = paperTable;
  const [found] = await tx
    .select({ id, title })
    .from(paperTable)
    .where(and(eq(paperTable.source_document_id, documentId), living));
  if (!found) return null;
  return { title: (await papers.sees(tx, viewer, found.id)) ? found.title : null };
}

/**
 * Makes a draft paper from a document, with copies of its files, in the first category in use; its writer completes it before publishing.
 * The caller checks the rights. Returns its id.
 */
export async function paperFrom(context: Writing, from: Adopted): Promise<number> {
  const { tx, now, user } = context;
  const [category] = await tx
    .select({ id: categoryTable.id })
    .from(categoryTable)
    .where(eq(categoryTable.status, true))
    .orderBy(asc(categoryTable.order_id), asc(categoryTable.id))
    .limit(1);
  if (!category) throw unknownCategory();
  const scope = scopeOf(user, 'Create', page);
  const publishes = from.deptId !== null && (scope.all || scope.depts.has(from.deptId));
  const { bodyFileId, attachmentIds } = from;
  const fileIds = [...attachmentIds, ...(bodyFileId === null ? [] : [bodyFileId])];
  const copies = await copyFiles(tx, { fileIds, module, user });
  const paper = {
    title: from.title.slice(0, longestTitle),
    category_id: category.id,
    fwh: from.number,
    dept: publishes ? from.deptId! : (user.depts[0] ?? from.deptId ?? 0),
    publish_date: from.day ?? dayOf(now),
    content: from.text,
    keywords: from.keywords,
    file: copies[attachmentIds.length] ?? null,
    attachments: copies.slice(0, attachmentIds.length),
    scope: { ...nobody, all: true },
  };
  return (await createPaper(context, await viewerOf(tx, user), paper, false, from.documentId)).id;
}
