import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import type { Services } from '#kernel/server/services.ts';
import { giveMade, keepMade, type FileStore } from '#modules/files/service.ts';
import { contractPdf, type ContractInput as ContractPaper } from '#modules/typesetting/service.ts';
import { codeOf, codePicture } from '#modules/verification/service.ts';
import { stage } from '../contract/codes.ts';
import { contractTable } from '../tables.ts';
import { frozenText, type Texted } from './freezing.ts';

type Printed = Texted & Pick<typeof contractTable.$inferSelect, 'contract_no' | 'sign_date'>;

/** What is set on paper of the words of a contract. */
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

const task = 'contract_final';

/** What is to be sealed of an approved contract: its file, or null where its words are set on paper once this transaction is through. */
export async function finalOf(tx: Db, row: Pick<Texted, 'id' | 'text_version'>): Promise<number | null> {
  const file = (await frozenText(tx, row))?.file_id ?? null;
  if (file === null) await enqueue(tx, task, { id: row.id }, { key: `${task}-${row.id}` });
  return file;
}

/** Sets the approved words of a contract on paper, to be sealed. Bears to run again. */
export function finalTask({ databases, fileStore }: Pick<Services, 'databases'> & { fileStore: FileStore }): Task {
  return {
    name: task,
    title: '制作合同定稿',
    async run(payload) {
      const { id } = payload as { id: number };
      const read = async (tx: Db, lock = false) => {
        const query = tx.select().from(contractTable).where(eq(contractTable.id, id));
        const [row] = await (lock ? query.for('no key update') : query);
        return row?.stage === stage.toSign && row.final_file === null ? row : undefined;
      };
      const { fresh } = databases;
      const row = await read(fresh);
      const text = row && (await frozenText(fresh, row));
      if (!row || !text || text.file_id !== null) return;
      const bytes = await contractPdf(await paperInputOf(fresh, row, { html: text.html, watermark: '' }), 'house');
      const made = await keepMade(fileStore, bytes, { ext: 'pdf', mime: 'application/pdf' });
      await databases.write(async (tx) => {
        // Taken back and sent off anew meanwhile, it has a task of its own.
        if ((await read(tx, true))?.text_version !== text.no) return;
        const named = { name: `${row.contract_no} ${row.name}`, module: 'contracts', recordId: id, by: row.creator_id };
        await tx
          .update(contractTable)
          .set({ final_file: await giveMade(tx, made, named) })
          .where(eq(contractTable.id, id));
      });
    },
  };
}
