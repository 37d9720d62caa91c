import { forbidden } from '#kernel/contract/refusal.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { act, seenBy, start } from './commands/commands.ts';
import { inNameOf } from './commands/in-name-of.ts';
import { HandleBody, StartBody, tickets } from './contract.ts';
import { detailOf, wired } from './read/detail.ts';
import { context, listed, totals } from './read/lists.ts';
import { logPage, steps } from './store/log.ts';
import { mainStateId } from './engine/state.ts';
import { noted } from './read/noted.ts';
import { offersTo } from './visibility/delegation.ts';
import { copyOf } from './versions/copying.ts';
import { placesIn } from './fields/places.ts';
import { sheetFor } from './fields/sheet.ts';
import { ahead } from './versions/ahead.ts';
import { foresee } from './versions/foresee.ts';
import { isNew, lookTogether, markRead } from './read/reading.ts';
import { ticketViewerOf, mayListAll } from './visibility/viewer.ts';

/** Field values are the keys of a body that its schema does not name. */
function fieldsOf(body: Record<string, unknown>, schema: { shape: object }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !Object.hasOwn(schema.shape, key)));
}

export const ticketsModule = implement('tickets', tickets, {
  async list({ query }, { tx, user }) {
    if (query.category === 'all' && !mayListAll(user)) throw forbidden('查看全部工单');
    return listed(tx, query, user);
  },

  async start({ body }, context) {
    const { begin_for, ...asked } = body;
    const fields = fieldsOf(body, StartBody);
    const byApplication = begin_for !== undefined && context.user.application !== undefined;
    const user = byApplication ? await inNameOf(context.tx, context.user, begin_for) : context.user;
    const moved = await start({ ...context, user }, { ...asked, fields, ...(byApplication ? {} : { begin_for }) });
    const card = begin_for === undefined ? undefined : (await peopleByName(context.tx, [begin_for])).get(begin_for);
    const forWhom = card && card.id !== context.user.id ? { 发起人: `${card.alias}（${card.username}）` } : {};
    context.audit(
      await noted(context.tx, moved, { 操作: moved.act_state === actState.draft ? '保存草稿' : '提交', ...forWhom }),
    );
    return moved;
  },

  foresee: ({ body }, { tx, user }) => foresee(tx, user, body),

  sheet: staged(tickets.sheet, {
    before: ({ query, file }, { read, user }) => sheetFor(read, user, query.workflow_id, file.bytes),
    run: ({ prepared }) => prepared,
  }),

  places: ({ query }, { tx, user }) => placesIn(tx, user, query),

  async get({ params }, { tx, user, afterReading }) {
    const stored = await seenBy(tx, user, params.id, false);
    if (isNew(stored, user.id)) afterReading((writing) => markRead(writing, stored, user.id));
    return { value: await detailOf(tx, stored, stored.reader, user) };
  },

  copy: ({ params }, { tx, user }) => copyOf(tx, user, params.id),

  async looking({ params }, { tx, user }) {
    const { id } = await seenBy(tx, user, params.id, false);
    return { value: await lookTogether(tx, id, user.id) };
  },

  async handle({ params, body }, context) {
    const { transition_id, task_no, suggestion, choose, version, seen_hash, signature, force, ...opinion } = body;
    const asked = {
      type: 'handle',
      transition_id,
      task_no,
      suggestion,
      choose: choose ?? {},
      fields: fieldsOf(body, HandleBody),
      mentions: opinion.suggestion_mentions,
    } as const;
    const moved = await act(context, params.id, asked, {
      version,
      seen_hash,
      signature,
      force,
      files: opinion.suggestion_files,
    });
    context.audit(await noted(context.tx, moved, { 流转: transition_id }, { 意见: suggestion }));
    return moved;
  },

  async remove({ params }, context) {
    const moved = await act(context, params.id, { type: 'delete' });
    context.audit(await noted(context.tx, moved, { 操作: '删除' }));
    return { id: moved.id };
  },

  async accept({ params, body }, context) {
    const moved = await act(context, params.id, { type: 'accept', task_no: body.task_no }, { version: body.version });
    context.audit(await noted(context.tx, moved, { 操作: '接单' }));
    return { id: moved.id };
  },

  async transitions({ params }, { tx, user }) {
    const seen = await seenBy(tx, user, params.id, false);
    return { value: await wired(tx, seen, user.id, offersTo(seen, seen.reader)) };
  },

  async flowsteps({ params }, { tx, user }) {
    const stored = await seenBy(tx, user, params.id, false);
    return {
      value: await steps(tx, stored, stored.reader),
      current_state_id: mainStateId(stored.state) ?? 0,
    };
  },

  async ahead({ params, body }, { tx, user }) {
    return ahead(tx, await seenBy(tx, user, params.id, false), body);
  },

  async flowlogs({ params, query }, { tx, user }) {
    const seen = await seenBy(tx, user, params.id, false);
    return logPage(tx, seen, query, seen.reader);
  },

  async jiaobiao(_input, { tx, user }) {
    const counts = await totals(tx, await ticketViewerOf(tx, user));
    return { by_category: counts, by_menu: { '/ticket/duty': counts.duty ?? 0 }, total: counts.duty ?? 0 };
  },

  async userMsg(_input, { tx, user }) {
    const viewer = await ticketViewerOf(tx, user);
    const counts = await totals(tx, viewer);
    return { duty: counts.duty ?? 0, owner: counts.owner ?? 0, cc: counts.cc ?? 0, ...(await context(tx, viewer)) };
  },
});
