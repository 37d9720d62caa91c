import { eq } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { correctOpinion } from '#modules/workflow/tickets/service.ts';
import { isArchived, refuseArchived } from '../archive/state.ts';
import { documentRecords } from '../contract/records.ts';
import { secretLevel } from '../contract/shapes.ts';
import { changeOf } from '../rules/facts.ts';
import { seenInside } from '../visibility/visibility.ts';
import { recordsOf } from './listing.ts';
import { remind } from './reminding.ts';
import { documentRecordTable } from '../tables/records.ts';

/** A row of the handling record of a document the user sees, with the document locked. */
async function seenRecord(tx: Db, user: Viewer, id: number) {
  const [row] = await tx.select().from(documentRecordTable).where(eq(documentRecordTable.id, id));
  if (!row) throw absent('办理记录');
  return { row, ...(await seenInside(tx, user, row.document_id, '办理记录', true)) };
}

const text = async (id: number, { tx, user, now, audit, services }: Context<typeof documentRecords.remind>) => {
  const { doc, ticketId } = await seenRecord(tx, user, id);
  await refuseArchived(tx, doc.id);
  const { to, ...answer } = await remind(tx, id, { doc, ticketId, user, now }, services);
  if (answer.sent > 0) audit(changeOf(doc, { 操作: '短信催办', 用户: to }));
  return answer;
};

/** Handlers of the handling record. */
export const documentRecordsModule = implement('documents', documentRecords, {
  async ticketLog({ query }, { tx, user, now }) {
    const { doc, ticketId } = await seenInside(tx, user, query.document_id, '办理记录');
    const archived = await isArchived(tx, doc.id);
    const rows = await recordsOf(tx, { doc, ticketId, user, now, archived });
    const { page, per_page } = query;
    const ordered = query.desc ? rows.toReversed() : rows;
    return { value: ordered.slice((page - 1) * per_page, page * per_page), total: rows.length, page, per_page };
  },

  async correct({ params, body }, context) {
    const { tx, user, audit } = context;
    const { row, doc, ticketId } = await seenRecord(tx, user, params.id);
    await refuseArchived(tx, doc.id);
    const before = await correctOpinion(context, ticketId, row.task_no, body.suggestion);
    audit({
      ...changeOf(doc, { 操作: '更正意见' }, { 意见: body.suggestion }),
      ...(doc.secret_level > secretLevel.none ? {} : { before: { 意见: before } }),
    });
    return { id: row.id };
  },

  remind: ({ params }, context) => text(params.id, context),
  remindByPost: ({ params }, context) => text(params.id, context),
});
