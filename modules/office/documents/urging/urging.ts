import { momentOf } from '#kernel/contract/moment.ts';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, newsOf } from '#modules/platform/messages/service.ts';
import { urging } from '#modules/platform/messages/service/news.ts';
import { urge as urgePeople } from '#modules/platform/messages/service/nudges.ts';
import { isBeingApproved } from '#modules/workflow/records/service.ts';
import { dueBy, handlersOf } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { levelNotChangeable, mayNotUrge, nobodyToUrge } from '../contract/refusals.ts';
import { docLevel, secretLevel } from '../contract/shapes.ts';
import { dueAfter, nameInNews } from '../rules/facts.ts';
import { docs } from '../record/record.ts';
import { isHandling, mayUrge } from '../record/rows.ts';
import { isOffice } from '../visibility/office.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentLevelLogTable } from '../tables.ts';

interface About {
  doc: Stored;
  ticketId: number;
  user: Viewer;
}
const urgeEvery = 2;

/** Reminds the present handlers, each at most once in two hours; returns how many. */
export async function urge(tx: Db, { doc, ticketId, user, content }: About & { content: string }): Promise<number> {
  if (!mayUrge(doc, user)) throw mayNotUrge();
  const people = isBeingApproved(doc) ? await handlersOf(tx, ticketId) : [];
  const said = { head: `${user.alias} 催办`, content: inNews(doc, content), by: user.id };
  const news = newsOf(documentNews.URGE, { doc, ticketId }, said);
  const nobody = () => nobodyToUrge(actState.label(doc.act_state));
  return (await urgePeople(tx, news, people, { name: '催办', nobody, hours: urgeEvery })).length;
}

const inNews = ({ secret_level }: Stored, words: string) => (secret_level > secretLevel.none ? '' : words);
/** News about documents besides those of their tickets. */
export const documentNews = newsKinds({
  module: 'tickets',
  type: newsType.toDo,
  group: '公文',
  page: docs.definition.page,
  // Uses the ticket's id, so that reminders are withdrawn with its task.
  of: ({ doc, ticketId }: Pick<About, 'doc' | 'ticketId'>) => ({
    id: ticketId,
    title: nameInNews(doc),
    page: docs.definition.page(doc.id),
  }),
  kinds: {
    LEVEL: { name: '公文的紧急程度或时限变了', head: '紧急程度、时限', level: newsLevel.important, ways: [] },
    URGE: urging,
  },
});

/**
 * Changes the urgency of a document and its deadline, which it returns. Less urgent, it is counted from sending; more urgent, from now, but
 * not later than the former deadline.
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
  const head = `紧急程度调整为“${docLevel.label(level)}”`;
  const said = { head, content: inNews(doc, `${user.alias}：${reason}`), by: user.id };
  await announce(tx, documentNews.LEVEL, { doc, ticketId }, said, await handlersOf(tx, ticketId));
  return due_at;
}
