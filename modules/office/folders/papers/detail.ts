import { and, desc, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { audienceShown } from '#modules/platform/people/service/audience.ts';
import { paperStatus } from '../contract/list.ts';
import type { PaperDetail } from '../contract/papers.ts';
import { paperTable } from '../tables.ts';
import type { PaperViewer } from './audience.ts';
import { outdatedIn } from './cited.ts';
import { paperRows, selectPapers } from './list.ts';
import { papers } from './record.ts';
import { isApproved } from './writing.ts';

/** One paper with its files, and the versions that the viewer sees. */
export async function paperDetail(tx: Db, viewer: PaperViewer, id: number): Promise<PaperDetail> {
  const paper = await papers.requireVisible(tx, viewer, id);
  const [found] = await selectPapers(tx, viewer).where(eq(paperTable.id, id));
  const [row] = await paperRows(tx, viewer, found ? [found] : []);
  if (!found || !row) throw absent('该文件');
  const { file, attachments, replace_id, managed, ...rest } = { ...found, ...paper };
  const cards = await fileCards(tx, [...attachments, ...(file === null ? [] : [file])], viewer.user);
  const versions = await versionsOf(tx, viewer, id);
  const sees = (other: number | null) => versions.some((one) => one.id === other);
  return {
    ...rest,
    ...row,
    creator_info: (await peopleById(tx, [paper.creator_id])).get(paper.creator_id) ?? null,
    file,
    file_info: (file !== null && cards.get(file)) || null,
    attachments,
    attachments_info: attachments.flatMap((one) => cards.get(one) ?? []),
    scope: managed ? await audienceShown(tx, paper.audience) : null,
    quiz: paper.quiz.map((one) => ({ ...one, answer: managed ? one.answer : null })),
    outdated: (await outdatedIn(tx, viewer, paper.content)).filter((one) => !sees(one.id)),
    approved: await isApproved(tx, paper),
    needs_approval: paper.status === paperStatus.draft && (await papers.definition.flow.of(tx, paper)) !== null,
    source_document_id: managed ? paper.source_document_id : null,
    replace_id: sees(replace_id) ? replace_id : null,
    versions,
  };
}

/** The chain of versions of a paper, from the first to the newest, limited to those that the viewer sees. */
function versionsOf(tx: Db, viewer: PaperViewer, own: number) {
  const chain = sql`
    with recursive older as (
      select id, replace_id from folder_paper where id = ${own}
      union select p.id, p.replace_id from folder_paper p join older on p.id = older.replace_id),
    newer as (
      select id from folder_paper where id = ${own}
      union select p.id from folder_paper p join newer on p.replace_id = newer.id)
    select id from older union select id from newer`;
  const { id, title, fwh, version_no, status, publish_date } = paperTable;
  return tx
    .select({ id, title, fwh, version_no, status, publish_date })
    .from(paperTable)
    .where(and(sql`${id} in (${chain})`, papers.visible(tx, viewer)))
    .orderBy(desc(version_no), desc(id));
}
