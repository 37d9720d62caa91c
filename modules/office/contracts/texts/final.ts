import { eq } from 'drizzle-orm';
import { isForGood } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Services } from '#kernel/server/services.ts';
import {
  fileById,
  giveMade,
  keepMade,
  previewOf,
  stampedOver,
  type FileRow,
  type FileStore,
} from '#modules/platform/files/service.ts';
import { contractPdf, type ContractInput as ContractPaper } from '#modules/platform/typesetting/service.ts';
import { codeOf, codePicture } from '#modules/platform/verification/service.ts';
import { stage } from '../contract/codes.ts';
import { contractTable } from '../tables.ts';
import { frozenText, type Texted } from './freezing.ts';

type Printed = Texted & Pick<typeof contractTable.$inferSelect, 'contract_no' | 'sign_date'>;

/** The input for setting a contract's text on paper. */
export async function paperInputOf(
  tx: Db,
  row: Printed,
  { html, watermark }: { html: string; watermark: string },
): Promise<ContractPaper> {
  const [code, origin] = [await codeOf(tx, { module: 'contracts', id: row.id }), tx.services.publicUrl()];
  const image = code === null || origin === null ? null : (await codePicture(origin, code)).image;
  return {
    title: row.name,
    number: row.contract_no && `合同编号：${row.contract_no}`,
    bodyHtml: html,
    watermark,
    picture: image === null ? null : new Uint8Array(Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')),
    day: row.sign_date,
  };
}

/** An uploaded text as PDF with number, code and watermark on every page; null if nothing can be stamped, as on an encrypted file. */
export async function stampedFile(
  tx: Db,
  { fileStore, toPdf }: Converts,
  row: Printed,
  { file, watermark, by }: { file: FileRow; watermark: string; by: By },
): Promise<FileReply | null> {
  const shown = await previewOf(fileStore, toPdf, file, by);
  const over = await contractPdf(await paperInputOf(tx, { ...row, name: '' }, { html: '', watermark }), by);
  return stampedOver(fileStore, file, shown, over, by).catch((error: unknown) => {
    if (isForGood(error)) return null;
    throw error;
  });
}

const task = 'contract_final';

/**
 * The file to seal of an approved contract. Queues the making of its PDF after this transaction; until then, or if that is impossible, it
 * is the uploaded file.
 */
export async function finalOf(tx: Db, row: Pick<Texted, 'id' | 'text_version'>): Promise<number | null> {
  await enqueue(tx, task, { id: row.id }, { key: `${task}-${row.id}` });
  return (await frozenText(tx, row))?.file_id ?? null;
}

interface Converts {
  fileStore: FileStore;
  toPdf: ToPdf | null;
}

/** Makes the PDF of an approved contract's text for sealing. Idempotent. */
export function finalTask({ databases, fileStore, toPdf }: Pick<Services, 'databases'> & Converts): Task {
  const paperOf = async (tx: Db, row: Printed, text: { file_id: number | null; html: string }) => {
    if (text.file_id === null)
      return contractPdf(await paperInputOf(tx, row, { html: text.html, watermark: '' }), 'house');
    const file = await fileById(tx, text.file_id);
    if (!file) return null;
    // If no PDF can be made, the uploaded file is sealed.
    if (toPdf === null && file.mime !== 'application/pdf') return null;
    const made = await stampedFile(tx, { fileStore, toPdf }, row, { file, watermark: '', by: 'house' });
    return (made?.bytes as Buffer | undefined) ?? null;
  };
  return {
    name: task,
    title: '制作合同定稿',
    async run(payload) {
      const { id } = payload as { id: number };
      const read = async (tx: Db, lock = false) => {
        const query = tx.select().from(contractTable).where(eq(contractTable.id, id));
        const [row] = await (lock ? query.for('no key update') : query);
        return row?.stage === stage.toSign ? row : undefined;
      };
      const { fresh } = databases;
      const row = await read(fresh);
      const text = row && (await frozenText(fresh, row));
      if (!row || !text || row.final_file !== text.file_id) return;
      const bytes = await paperOf(fresh, row, text);
      if (bytes === null) return;
      const made = await keepMade(fileStore, bytes, { ext: 'pdf', mime: 'application/pdf' });
      await databases.write(async (tx) => {
        // A contract withdrawn and sent again meanwhile has a newer task.
        const now = await read(tx, true);
        if (now?.text_version !== text.no || now.final_file !== text.file_id) return;
        const named = { name: `${row.contract_no} ${row.name}`, module: 'contracts', recordId: id, by: row.creator_id };
        await tx
          .update(contractTable)
          .set({ final_file: await giveMade(tx, made, named) })
          .where(eq(contractTable.id, id));
        // Open pages are notified, because the seal can be applied for from now on.
        changed(tx, 'stamp', [...new Set([now.creator_id, now.undertaker])]);
      });
    },
  };
}
