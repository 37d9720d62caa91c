import { eq, sql } from 'drizzle-orm';
import { isForGood } from '#kernel/contract/refusal.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import { detach, fileById, giveMade, keepMade, type Made, type FileStore } from '#modules/platform/files/service.ts';
import { isOverState } from '#modules/workflow/workflows/engine/codes.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';
import { paperOf } from './paper.ts';
import { sourceOf } from './shown.ts';

const task = 'document_final';

/** Queues the making of the finished document after this transaction; does nothing if it has no number yet or is frozen. */
export async function finishLater(
  tx: Db,
  doc: Pick<Stored, 'id' | 'doc_kind' | 'doc_number' | 'final_frozen' | 'is_deleted'>,
): Promise<void> {
  if (doc.doc_kind !== sending || !doc.doc_number || doc.final_frozen || doc.is_deleted) return;
  await enqueue(tx, task, { id: doc.id }, { key: `${task}-${doc.id}` });
}

interface Services {
  databases: Pick<Databases, 'fresh' | 'write'>;
  fileStore: FileStore;
  toPdf: ToPdf | null;
}

async function made(services: Services, doc: Stored): Promise<Made | null> {
  const bytes = await paperOf({ ...services, by: 'house' }, services.databases.fresh, doc).catch((error: unknown) => {
    // A body from an editor that cannot be set: readers are told so, and retrying would not help.
    if (isForGood(error)) return null;
    throw error;
  });
  return bytes && keepMade(services.fileStore, bytes, { ext: 'pdf', mime: 'application/pdf' });
}

/** Makes the finished document once it has its number, and freezes it at its end. Idempotent. */
export function finalTask(services: Services): Task {
  const { databases } = services;
  return {
    name: task,
    title: '制作公文成品',
    async run(payload) {
      const { id } = payload as { id: number };
      const read = async (tx: Db) => (await tx.select().from(documentTable).where(eq(documentTable.id, id)))[0];
      const doc = await read(databases.fresh);
      if (!doc || doc.final_frozen || doc.is_deleted) return;
      const source = await sourceOf(databases.fresh, doc);
      const file = await made(services, doc);
      if (!file) return;
      await databases.write(async (tx) => {
        await tx.execute(sql`select from document where id = ${id} for no key update`);
        const now = (await read(tx))!;
        if (now.final_frozen) return;
        // Changed while it was set: the job fails and is retried with the present content.
        if ((await sourceOf(tx, now)) !== source) throw new Error(`document ${id} changed while it was set`);
        const before = now.final_file === null ? null : await fileById(tx, now.final_file);
        const same = before?.sha256 === file.sha256;
        const named = { name: `${now.doc_number} ${now.title}`, module: 'documents', recordId: id, by: now.creator_id };
        const finalFileId = same ? before.id : await giveMade(tx, file, named);
        await tx
          .update(documentTable)
          .set({ final_file: finalFileId, final_frozen: isOverState(now.act_state) })
          .where(eq(documentTable.id, id));
        if (before && !same) await detach(tx, { fileId: before.id, module: 'documents', recordId: id });
      });
    },
  };
}
