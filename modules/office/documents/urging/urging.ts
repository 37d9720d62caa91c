import { momentOf } from '#kernel/contract/moment.ts';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { notifyPeople } from '#modules/platform/messages/service.ts';
import { urge as urgePeople } from '#modules/platform/messages/service/nudges.ts';
import { isBeingApproved } from '#modules/workflow/records/service.ts';
import { dueBy, handlersOf } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { levelNotChangeable, mayNotUrge, nobodyToUrge } from '../contract/refusals.ts';
import { docLevel, secretLevel } from '../contract/shapes.ts';
import { dueAfter, nameInNews } from '../rules/facts.ts';
import { docs } from '../record/record.ts';
import { isHandling, mayUrge } from '../record/rows.ts';
import { isOffice, type Stored } from '../visibility/visibility.ts';
import { documentLevelLogTable } from '../tables.ts';

interface About {
  doc: Stored;
  ticketId: number;
  user: Viewer;
}
const urgeEvery = 2;

/** Reminds those who have the document now, each at most once in two hours; answers how many were reminded. */
export async function urge(tx: Db, { doc, ticketId, user, content }: About & { content: string }): Promise<number> {
  if (!mayUrge(doc, user)) throw mayNotUrge();
  const people = isBeingApproved(doc) ? (await handlersOf(tx, ticketId)).filter((one) => one !== user.id) : [];
  if (people.length === 0) throw nobodyToUrge(actState.label(doc.act_state));
  const news = {
    ...newsOf(doc, ticketId, 'URGE'),
    title: `${user.alias} 催办：${nameInNews(doc)}`,
    content: inNews(doc, content),
    senderId: user.id,
  };
  return (await urgePeople(tx, '催办', news, people, { hours: urgeEvery })).length;
}

const inNews = ({ secret_level }: Stored, words: string) => (secret_level > secretLevel.none ? '' : words);
/** Named as the ticket's, so that what asks for something goes when the task is done. */
export const newsOf = (doc: Stored, ticketId: number, event: string) => ({
  type: newsType.toDo,
  level: newsLevel.important,
  module: 'tickets',
  objectId: ticketId,
  event,
  webPath: docs.definition.page(doc.id),
});

/**
 * Makes a document more or less urgent: another time to be done by, which it answers. Less urgent it is counted from when it was submitted;
 * more urgent from now, for it was not urgent before, and no later than it was due anyway.
 */
export async function changeLevel(
  tx: Db,
  {
    doc,
    ticketId,
    user,
    actions,
    level,
    reason,
    now,
  }: About & { actions: readonly string[]; level: number; reason: string; now: Date },
): Promise<string | null> {
  if (!isOffice(user) && !isHandling(actions)) throw forbidden('调整紧急程度');
  if (!isBeingApproved(doc) || doc.submitted_at === null)
    throw levelNotChangeable(`公文“${actState.label(doc.act_state)}”`);
  if (level === doc.level) throw levelNotChangeable(`已经是“${docLevel.label(level)}”`);
  const since = level > doc.level ? now : momentOf(doc.submitted_at);
  const counted = await dueAfter(tx, since, { ...doc, level });
  const sooner = level > doc.level && doc.due_at !== null && momentOf(doc.due_at) < new Date(counted);
  const due = sooner ? doc.due_at! : counted;
  const { due_at } = await docs.set(tx, doc, { level, due_at: due });
  await dueBy(tx, ticketId, due);
  await tx
    .insert(documentLevelLogTable)
    .values({ document_id: doc.id, user_id: user.id, before: doc.level, after: level, reason });
  const people = (await handlersOf(tx, ticketId)).filter((one) => one !== user.id);
  const title = `紧急程度调整为“${docLevel.label(level)}”：${nameInNews(doc)}`;
  await notifyPeople(
    tx,
    { ...newsOf(doc, ticketId, 'LEVEL'), title, content: inNews(doc, `${user.alias}：${reason}`) },
    people,
  );
  return due_at;
}
