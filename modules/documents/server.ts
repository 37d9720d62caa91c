import { and, eq } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { actionsOn, ticketViewerFor, removeTicket } from '#modules/tickets/service.ts';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import { keepRead, readSent } from './bodies/known.ts';
import type { BodyServices } from './bodies/taking.ts';
import { documents } from './contract.ts';
import { levels, type DocumentFields } from './contract/shapes.ts';
import { notDeletable } from './contract/refusals.ts';
import { createDocument, patchDocument, sendAgain } from './record/commands.ts';
import { editOf } from './edits/log.ts';
import { changeOf, documentById } from './rules/facts.ts';
import { changeLevel, urge } from './urging/urging.ts';
import { listed } from './record/lists.ts';
import { noteAnswer } from './replies/replies.ts';
import { detailOf, isWithAuthor } from './record/rows.ts';
import { refuseRecipient, seen } from './visibility/visibility.ts';
import { documentCollectTable } from './tables.ts';

type Prepared = { read: Db; user: Viewer; services: BodyServices };
const bodySent = ({ body }: { body: DocumentFields }, { read, user, services }: Prepared) =>
  readSent(services, read, { fileId: body.body_file, user });

export const documentsModule = implement('documents', documents, {
  async list({ query }, { tx, user, now }) {
    if (query.category === 'all' && !holds(user, 'Retrieve', 'document/list')) throw forbidden('查看全部公文');
    const category = query.category === 'collect' ? undefined : query.category;
    return listed(tx, query, await ticketViewerFor(tx, user, category), now);
  },

  create: staged(documents.create, {
    before: bodySent,
    async run({ body, prepared }, context) {
      await keepRead(context.tx, prepared);
      const moved = await createDocument(context, body);
      context.audit(changeOf(await documentById(context.tx, moved.id), { 操作: body.submit ? '提交' : '保存草稿' }));
      return moved;
    },
  }),

  async get({ params }, { tx, user, now }) {
    const { doc, viewer } = await seen(tx, user, params.id);
    return { value: await detailOf(tx, doc, viewer, now) };
  },

  patch: staged(documents.patch, {
    before: bodySent,
    async run({ params, body, prepared }, context) {
      await keepRead(context.tx, prepared);
      const { moved, edited } = await patchDocument(context, params.id, body);
      context.audit(editOf(await documentById(context.tx, moved.id), edited, '修改'));
      return moved;
    },
  }),

  again: staged(documents.again, {
    before: bodySent,
    async run({ params, body, prepared }, context) {
      await keepRead(context.tx, prepared);
      const { moved, edited } = await sendAgain(context, params.id, body);
      context.audit(editOf(await documentById(context.tx, moved.id), edited, body.submit ? '重新提交' : '保存'));
      return moved;
    },
  }),

  async remove({ params }, context) {
    const { doc, viewer, ticketId } = await seen(context.tx, context.user, params.id, true);
    await refuseRecipient(context.tx, viewer, doc, '删除公文');
    if (!isWithAuthor(doc)) throw notDeletable(actStateNames[doc.act_state as 0]);
    await removeTicket(context, ticketId);
    context.audit(changeOf(doc, { 操作: '删除' }));
    return { id: doc.id };
  },

  async collect({ params }, { tx, user }) {
    const { doc } = await seen(tx, user, params.id);
    await tx.insert(documentCollectTable).values({ user_id: user.id, document_id: doc.id }).onConflictDoNothing();
    return { collected: true };
  },

  async uncollect({ params }, { tx, user }) {
    const { doc } = await seen(tx, user, params.id);
    await tx
      .delete(documentCollectTable)
      .where(and(eq(documentCollectTable.user_id, user.id), eq(documentCollectTable.document_id, doc.id)));
    return { collected: false };
  },

  async urge({ params, body }, { tx, user, audit }) {
    const { doc, ticketId } = await seen(tx, user, params.id, true);
    const sent = await urge(tx, { doc, ticketId, user, content: body.content });
    audit(changeOf(doc, { 操作: '催办', 人数: sent }, { 内容: body.content }));
    return { sent };
  },

  async noteAnswer({ params, body }, { tx, user, audit }) {
    const { doc, viewer } = await seen(tx, user, params.id, true);
    await refuseRecipient(tx, viewer, doc, '登记答复情况');
    await noteAnswer(tx, user, doc, body.answer_note);
    audit(changeOf(doc, { 操作: '登记答复情况' }, { 答复情况: body.answer_note }));
    return { answer_note: body.answer_note };
  },

  async level({ params, body }, { tx, user, audit }) {
    const { doc, viewer, ticketId } = await seen(tx, user, params.id, true);
    const actions = await actionsOn(tx, viewer, ticketId);
    const due_at = await changeLevel(tx, { doc, ticketId, user, actions, ...body });
    audit(changeOf(doc, { 紧急程度: levels[body.level as 0] }, { 理由: body.reason }));
    return { level: body.level, due_at };
  },
});
