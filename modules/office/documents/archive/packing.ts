import { and, eq, isNull } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import {
  bytesOf,
  giveMade,
  keepMadeStream,
  packed,
  plainName,
  type FileStore,
} from '#modules/platform/files/service.ts';
import { sheetInputOf } from '../typeset/gathering.ts';
import { paperOf } from '../typeset/paper.ts';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { receiving } from '../rules/rules.ts';
import { documentArchiveTable } from '../tables/archive.ts';
import { gather, type Gathered } from './gathering.ts';
import { withMarks } from '../marks/pages.ts';
import { markedPath, metadataOf } from './metadata.ts';
import { packageModule } from './shown.ts';

export const packing = 'pack archived document';

interface Services {
  databases: Databases;
  fileStore: FileStore;
  toPdf: ToPdf | null;
  version: string;
}

/**
 * Makes the package of an archived document: the letter, its attachments, the processing sheet and metadata. Attachments are streamed. Run
 * twice, the first package stays.
 */
export function packingTask({ databases, fileStore, toPdf, version }: Services): Task<{ documentId: number }> {
  return {
    name: packing,
    title: '制作归档包',
    async run({ documentId }) {
      const gathered = await gather(databases.fresh, documentId);
      if (!gathered || gathered.archive.package_id !== null) return;
      const { archive, doc } = gathered;
      const { fresh } = databases;
      const set = doc.final_file === null && doc.doc_kind !== receiving;
      const letter = set ? await paperOf({ fileStore, toPdf, by: 'house' }, fresh, doc) : null;
      const sheet = await processingSheetPdf(await sheetInputOf(fresh, fileStore, doc));
      const marks = await markedPages(gathered, fileStore);
      const content = packedDocument(gathered, { letter, sheet, marks, fileStore, version });
      const made = await keepMadeStream(fileStore, content, { ext: 'zip', mime: 'application/zip' });
      await databases.write(async (tx) => {
        const one = and(eq(documentArchiveTable.document_id, documentId), isNull(documentArchiveTable.package_id));
        const [open] = await tx.select().from(documentArchiveTable).where(one).for('update');
        if (!open) return;
        const packageId = await giveMade(tx, made, {
          name: `归档 ${archive.archive_no}`,
          module: packageModule,
          recordId: documentId,
          by: archive.archived_by,
        });
        await tx
          .update(documentArchiveTable)
          .set({ package_id: packageId, final_sha256: letter && hashOf(letter) })
          .where(one);
      });
    },
  };
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
interface Making {
  letter: Buffer | null;
  sheet: Buffer;
  marks: readonly Buffer[];
  fileStore: FileStore;
  version: string;
}

/** The pages with handwritten marks, each mark with its author. */
async function markedPages({ doc, marked, files }: Gathered, fileStore: FileStore): Promise<Buffer[]> {
  const pages: Buffer[] = [];
  for (const { file_id, strokes, layers } of marked) {
    const bytes = await bytesOf(fileStore, files.get(file_id)!);
    pages.push(await withMarks(fileStore, bytes, { doc, strokes, layers, by: 'house' }));
  }
  return pages;
}

function packedDocument(gathered: Gathered, { letter, sheet, marks, fileStore, version }: Making): Readable {
  const { doc, files, archive } = gathered;
  return packed(fileStore, {
    mtime: momentOf(archive.archived_at),
    fill({ addBytes, addFile }) {
      if (letter) addBytes('正文/正文.pdf', letter);
      const final = files.get(doc.final_file ?? 0);
      if (final) addFile(`正文/正文.${final.ext}`, final);
      const body = files.get(doc.body_file ?? 0);
      // In a separate folder, because the finished document may have the same name.
      if (body) addFile(`正文/原件/${plainName(body.name)}`, body);
      for (const [index, id] of doc.attachments.entries()) {
        const file = files.get(id);
        if (file) addFile(`附件/${String(index + 1).padStart(2, '0')}-${plainName(file.name)}`, file);
      }
      for (const [index, pages] of marks.entries()) addBytes(markedPath(index), pages);
      addBytes('处理单.pdf', sheet);
    },
    about: (members) => metadataOf(gathered, members, version),
  });
}
