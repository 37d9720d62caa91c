import { eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import {
  isOffice,
  isOut,
  nameInNews,
  noteGiven,
  refuseForbiddenSecret,
  seenDocument,
  stateName,
} from '#modules/office/documents/service.ts';
import { checkAudience, everybodyOf } from '#modules/platform/people/service/audience.ts';
import type { distributions } from '../contract.ts';
import { beyondScope, deadlineOver, nobodyChosen, notThrough, secretNotTexted } from '../contract/refusals.ts';
import { page } from '../visibility.ts';
import { distEventTable, distTable } from '../tables.ts';
import { announceGiven } from './notify.ts';

interface Sender {
  tx: Db;
  user: Viewer;
  now: Date;
}

/** Distributes a document to people; takes as many statements for three as for five thousand. */
export async function distribute(
  { tx, user, now }: Sender,
  body: BodyOf<typeof distributions.create>,
): Promise<{ id: number; total: number; title: string; secret: boolean }> {
  // Locked, so that it is not recalled meanwhile.
  const { doc } = await seenDocument(tx, user, body.document_id, true);
  if (!isOut(doc)) throw notThrough(stateName(doc));
  await refuseForbiddenSecret(tx, doc);
  if (body.sms && doc.secret_level > secretLevel.none) throw secretNotTexted();
  const deadline = body.deadline ?? null;
  if (deadline && momentOf(deadline) <= now) throw deadlineOver(deadline.slice(0, 16));
  await checkAudience(tx, body.recipients);
  const [dist] = await tx
    .insert(distTable)
    .values({
      document_id: doc.id,
      sender_id: user.id,
      sender_dept: user.depts[0] ?? null,
      note: body.note,
      need_receipt: body.need_receipt,
      sms: body.sms,
      deadline,
      gmt_created: now.toISOString(),
    })
    .returning();
  if (!dist) throw new Error('the distribution was not written');
  const { rows: people } = await tx.execute<{ user_id: number; dept_id: number | null }>(sql`
    insert into document_dist_user (dist_id, document_id, user_id, dept_id, source)
    select ${dist.id}, ${doc.id}, m.user_id, m.dept_id, m.source from (${everybodyOf(body.recipients)}) m
    returning user_id, dept_id`);
  if (people.length === 0) throw nobodyChosen();
  const outside = outsideOf(user, doc, people);
  if (outside > 0) throw beyondScope(outside);
  const total = people.length;
  await tx.update(distTable).set({ total }).where(eq(distTable.id, dist.id));
  await noteGiven(tx, doc.id, now);
  await tx.insert(distEventTable).values({
    dist_id: dist.id,
    document_id: doc.id,
    kind: 'distribute',
    actor_id: user.id,
    people: total,
    content: body.note,
    gmt_created: now.toISOString(),
  });
  const to = people.map((one) => one.user_id);
  await announceGiven(tx, { ...dist, document: doc }, to, body.sms);
  return { id: dist.id, total, title: nameInNews(doc), secret: doc.secret_level > secretLevel.none };
}

/** The number of recipients outside the sender's scope: none if the document is in it, else those of other departments. */
function outsideOf(
  user: Viewer,
  doc: { creator_id: number; dept_id: number | null },
  people: readonly { user_id: number; dept_id: number | null }[],
): number {
  const { all, depts } = scopeOf(user, 'Create', page);
  const reached = (dept: number | null) => dept !== null && depts.has(dept);
  if (all || isOffice(user) || doc.creator_id === user.id || reached(doc.dept_id)) return 0;
  return people.filter((one) => one.user_id !== user.id && !reached(one.dept_id)).length;
}
