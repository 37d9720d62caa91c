import dayjs from 'dayjs';
import { implement, staged, type FileReply } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { watermarked, watermarkedCopy, previewOf, type Watermark } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Services } from '#kernel/server/services.ts';
import { secretLevel } from '../contract/shapes.ts';
import { isOpen } from '../record/commands.ts';
import { documentLayout } from '../contract/layout.ts';
import { checksOf, fixesOf } from '../check/check.ts';
import { checkedOf } from '../check/checked.ts';
import { sheetInputOf } from './gathering.ts';
import { lookOf } from './shown.ts';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { docs } from '../record/record.ts';
import { isHandling, mayEdit } from '../record/rows.ts';
import { voided } from '../visibility/recipient-view.ts';
import { seen, seenInside, type Stored } from '../visibility/visibility.ts';

/** The viewer's watermark: on all secret documents, else if the site requires it. */
export async function watermarkOf(
  tx: Db,
  user: Viewer,
  { secret_level, is_void }: Stored,
  now: Date,
): Promise<Watermark | null> {
  if (!is_void && secret_level === secretLevel.none && !(await tx.services.settings.get('site')).watermark) return null;
  const person = (await peopleById(tx, [user.id])).get(user.id);
  const words = `${person?.alias ?? ''} ${person?.username ?? ''} ${dayjs(now).format('YYYY-MM-DD HH:mm')}`;
  return { words: is_void ? `${voided} ${words}` : words, by: user.id };
}

export function shown(
  { fileStore }: Services,
  bytes: Buffer,
  { id, title }: Stored,
  mark: Watermark | null,
): FileReply | Promise<FileReply> {
  const reply = { type: 'application/pdf', bytes, size: bytes.length };
  return mark === null ? reply : watermarked(fileStore, { id, name: title, ext: 'pdf' }, reply, mark);
}

/** The document on paper: its layout, its processing sheet, and its faults. */
export const documentLayoutModule = implement('documents', documentLayout, {
  async check({ params }, { tx, user, now, services }) {
    const { doc, viewer } = await seenInside(tx, user, params.id, '格式检查');
    const mine = mayEdit(doc, user, isHandling(await docs.ticketActions(tx, viewer, doc)));
    const checked = await checkedOf(tx, doc, now);
    const found = checksOf(checked);
    // A fix is offered only to users who could make the change by hand.
    const fixes = fixesOf(
      checked,
      found.filter((one) => mine && isOpen(doc, one.field, user)),
    );
    return {
      value: found.map(({ mend, ...one }) => ({ ...one, mendable: mend !== undefined && one.field in fixes })),
      fixes,
      version: doc.version,
      blocks: (await services.settings.get('site')).check_layout,
    };
  },

  pdf: staged(documentLayout.pdf, {
    async before({ params }, { read, user, now, services }) {
      const { fileStore } = services;
      const { doc } = await seen(read, user, params.id);
      const mark = await watermarkOf(read, user, doc, now);
      const look = await lookOf({ ...services, by: user.id }, read, doc);
      if (Buffer.isBuffer(look)) return shown(services, look, doc, mark);
      return mark === null
        ? previewOf(fileStore, services.toPdf, look, user.id)
        : watermarkedCopy(services, look, mark);
    },
    run: ({ prepared }) => prepared,
  }),

  sheet: staged(documentLayout.sheet, {
    async before({ params }, { read, user, now, services }) {
      const { fileStore } = services;
      const { doc } = await seenInside(read, user, params.id, '处理单');
      const sheet = await sheetInputOf(read, fileStore, doc);
      return shown(services, await processingSheetPdf(sheet, user.id), doc, await watermarkOf(read, user, doc, now));
    },
    run: ({ prepared }) => prepared,
  }),
});
