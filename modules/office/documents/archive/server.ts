import { refuseOn } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { archiveNoTaken, documentArchive, notArchivable, secretNotArchived } from '../contract/settings/archive.ts';
import { retentions } from '../contract/archived.ts';
import { archivedAlready } from '../contract/refusals.ts';
import { secretLevel } from '../contract/shapes.ts';
import { owesAnswer, waiting } from '../replies/replies.ts';
import { isThrough, stateName } from '../rules/standing.ts';
import { seen } from '../visibility/visibility.ts';
import { packing } from './packing.ts';
import { refuseArchived } from './state.ts';
import { documentArchiveTable } from '../tables/archive.ts';

/** Handlers of the archive. */
export const documentArchiveModule = implement('documents', documentArchive, {
  async archive({ params, body }, { tx, user, now, audit }) {
    const { doc } = await seen(tx, user, params.id, true);
    if (doc.secret_level > secretLevel.none) throw secretNotArchived();
    await refuseArchived(tx, doc.id);
    if (doc.act_state === actState.finishAsked || !isThrough(doc)) throw notArchivable(stateName(doc));
    if (await owesAnswer(tx, doc)) throw notArchivable(waiting);
    await tx
      .insert(documentArchiveTable)
      .values({
        document_id: doc.id,
        retention: body.retention,
        archive_no: body.archive_no,
        archived_by: user.id,
        archived_at: now.toISOString(),
      })
      .catch(refuseOn('document_archive_no_unique', () => archiveNoTaken(body.archive_no)))
      .catch(refuseOn('document_archive_pkey', () => archivedAlready(body.archive_no)));
    await enqueue(tx, packing, { documentId: doc.id }, { key: `${packing} ${doc.id}` });
    audit({
      type: '公文',
      id: doc.id,
      title: doc.title,
      after: { 操作: '归档', 保管期限: retentions[body.retention], 档号: body.archive_no },
    });
    return { id: doc.id };
  },
});
