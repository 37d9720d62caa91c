import { eq, sql } from 'drizzle-orm';
import type { OwnerRule } from '#modules/platform/files/service.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { stampPage } from '../contract/seals.ts';
import { custodyTable, stampTable } from '../tables/seals.ts';
import { concerns } from '../custody/answer.ts';
import { ledgerOf, partIn, sees } from './visibility.ts';

/** Pictures of seals and sealings are redrawn, so that they carry no location, and watermarked with the viewer. */
export const pictureOwner: OwnerRule = {
  kinds: ['jpg', 'png', 'webp', 'gif'],
  imageSize: 2400,
  watermarked: true,
  alwaysMarked: async (recordId) => recordId.startsWith('stamp:'),
  async may(viewer, { recordId }, tx) {
    const [kind, number] = recordId.split(':');
    const id = Number(number);
    if (kind === 'stamp')
      return (
        holds(viewer, 'Update', stampPage) ||
        (await tx.$count(stampTable, sql`${stampTable.id} = ${id} and ${partIn(viewer)}`)) > 0
      );
    if (kind === 'custody') {
      const [event] = await tx
        .select({ stamp: custodyTable.stamp_id, mine: sql<boolean>`${concerns(viewer.id)}` })
        .from(custodyTable)
        .where(eq(custodyTable.id, id));
      return event !== undefined && (event.mine || (await sees(tx, viewer, event.stamp)));
    }
    const { rows } = await tx.execute(sql`
      select from stamp_line l join stamp on stamp.id = l.stamp_id join stamp_application a on a.id = l.application_id
      where l.id = ${id} and (${ledgerOf(viewer)} or ${viewer.id} in (a.creator_id, a.operator_id, a.escort_id))`);
    return rows.length > 0;
  },
};
