import { and, eq } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { removeTicket } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { keepRead, readSent } from './bodies/known.ts';
import type { BodyServices } from './bodies/taking.ts';
import { documents } from './contract.ts';
import { docLevel, type DocumentFields } from './contract/shapes.ts';
import { notDeletable } from './contract/refusals.ts';
import { createDocument, sendAgain, updateDocument } from './record/commands.ts';
import { listed, recordCategoryOf } from './record/lists.ts';
import { docs } from './record/record.ts';
import { detailOf } from './record/rows.ts';
import { noteAnswer } from './replies/citing.ts';
import { changeOf } from './rules/facts.ts';
import { documentCollectTable } from './tables.ts';
import { changeDue } from './urging/deadline.ts';
import { changeLevel, urge } from './urging/urging.ts';
import { seen, seenToChange } from './visibility/visibility.ts';

type Prepared = { read: Db; user: Viewer; services: BodyServices };
const before = ({ body }: { body: DocumentFields }, { read, user, services }: Prepared) =>
  readSent(services, read, { fileId: body.body_file, user });

/** The categories of one's own involvement, whose counts are shown on the tabs. */
const countedCategories = ['duty', 'owner', 'worked', 'cc', 'collect'] as const;

export const documentsModule = implement('documents', documents, {
  async list({ query }, { tx, user, now }) {
    if (query.category === 'all' && !holds(user, 'Retrieve', 'document/list')) throw forbidden('查看全部公文');
    return listed(tx, query, await docs.viewerOf(tx, user, recordCategoryOf(query.category)), now);
  },

  async counts(_input, { tx, user, now }) {
    const value: Partial<Record<(typeof countedCategories)[number], number>> = {};
    for (const category of countedCategories) {
      const viewer = await docs.viewerOf(tx, user, recordCategoryOf(category));
      value[category] = (
        await listed(tx, { ...documents.list.query!.parse({}), category, per_page: 1 }, viewer, now)
      ).total;
    }
    return { value };
  },

  create: staged(documents.create, {
    before,
    async run({ body, prepared }, context) {
      await keepRead(context.tx, prepared);
      return createDocument(context, body);
    },
  }),

  async get({ params }, { tx, user, now }) {
    const { doc, viewer } = await seen(tx, user, params.id);
    return { value: await detailOf(tx, doc, viewer, now) };
  },

  update: staged(documents.update, {
    before,
    async run({ params, body, prepared }, context) {
      await keepRead(context.tx, prepared);
      return updateDocument(context, params.id, body);
    },
  }),

  again: staged(documents.again, {
    before,
    async run({ params, body, prepared }, context) {
      await keepRead(context.tx, prepared);
      return sendAgain(context, params.id, body);
    },
  }),

  async remove({ params }, context) {
    const { doc, ticketId } = await seenToChange(context.tx, context.user, params.id, '删除公文');
    if (doc.act_state !== actState.draft) throw notDeletable(actState.label(doc.act_state));
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
    const { doc } = await seenToChange(tx, user, params.id, '登记答复情况');
    await noteAnswer(tx, user, doc, body.answer_note);
    audit(changeOf(doc, { 操作: '登记答复情况' }, { 答复情况: body.answer_note }));
    return { answer_note: body.answer_note };
  },

  async level({ params, body }, { tx, user, now, audit }) {
    const { doc, viewer, ticketId } = await seen(tx, user, params.id, true);
    const actions = await docs.ticketActions(tx, viewer, doc);
    const due_at = await changeLevel(tx, { doc, ticketId, user, actions, now, ...body });
    audit(changeOf(doc, { 紧急程度: docLevel.label(body.level) }, { 理由: body.reason }));
    return { level: body.level, due_at };
  },

  async due({ params, body }, { tx, user, now, audit }) {
    const { doc, viewer, ticketId } = await seen(tx, user, params.id, true);
    const actions = await docs.ticketActions(tx, viewer, doc);
    const due_at = await changeDue(tx, { doc, ticketId, user, actions, now, due: body.due_at, reason: body.reason });
    audit(changeOf(doc, { 办理时限: due_at?.slice(0, 16) ?? '' }, { 理由: body.reason }));
    return { due_at };
  },
});
