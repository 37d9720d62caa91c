import { invalid } from '#kernel/contract/refusal.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { decideSeveral } from './batch.ts';
import type { Action } from './deciding.ts';
import { act, type CommandContext, type Moved } from './commands.ts';
import { ticketActions } from '../contract/actions.ts';
import { titleOf } from '../engine/ways/buttons.ts';
import { noted } from '../read/noted.ts';

async function does(
  context: CommandContext & { audit(change: Change): void },
  id: number,
  action: Action,
  version?: number,
  files?: readonly number[],
): Promise<Moved> {
  const moved = await act(context, id, action, { version, files });
  const { suggestion = '', people = [] } = action as { suggestion?: string; people?: readonly string[] };
  const after = { 操作: titleOf(action.type), ...(people.length > 0 ? { 用户: people.join('、') } : {}) };
  context.audit(await noted(context.tx, moved, after, suggestion ? { 意见: suggestion } : {}));
  return moved;
}

/** Every action on a ticket except starting, reading and deciding it. */
export const ticketActionsModule = implement('tickets', ticketActions, {
  release: ({ params, body: { suggestion, task_no, version } }, context) =>
    does(context, params.id, { type: 'release', suggestion, task_no }, version),
  suspend: ({ params, body: { suggestion, task_no, version } }, context) =>
    does(context, params.id, { type: 'suspend', suggestion, task_no }, version),
  resume: ({ params, body: { suggestion, task_no, version } }, context) =>
    does(context, params.id, { type: 'resume', suggestion, task_no }, version),
  revoke: ({ params, body: { suggestion, version } }, context) =>
    does(context, params.id, { type: 'revoke', suggestion }, version),
  deliver: ({ params, body: { target_username, suggestion, task_no, from_admin, version } }, context) =>
    does(context, params.id, { type: 'deliver', people: [target_username], suggestion, task_no, from_admin }, version),
  delegate: ({ params, body: { target_username, suggestion, task_no, version } }, context) =>
    does(context, params.id, { type: 'delegate', people: [target_username], suggestion, task_no }, version),
  addNode: ({ params, body: { target_username: people, type: how, version, ...asked } }, context) =>
    does(context, params.id, { type: 'add_node', people, how, ...asked }, version),
  addNodeEnd: ({ params, body: { version, files, ...asked } }, context) =>
    does(context, params.id, { type: 'add_node_end', ...asked }, version, files),
  removeNode: ({ params, body: { task_no, suggestion, version } }, context) =>
    does(context, params.id, { type: 'remove_node', added: task_no, suggestion }, version),
  giveBack: ({ params, body: { version, files, ...asked } }, context) => {
    if (asked.state_id === undefined && !asked.state_ids)
      throw invalid([{ field: 'state_id', label: '退回到', msg: '请选择环节' }]);
    return does(context, params.id, { type: 'return', ...asked }, version, files);
  },
  retreat: ({ params, body: { suggestion, version } }, context) =>
    does(context, params.id, { type: 'retreat', suggestion }, version),
  applyFinish: ({ params, body: { suggestion, version } }, context) =>
    does(context, params.id, { type: 'apply_finish', suggestion }, version),
  endLeave: ({ params, body: { day, half, suggestion, version } }, context) =>
    does(context, params.id, { type: 'end_leave', day, half, suggestion }, version),
  close: ({ params, body: { suggestion, version } }, context) =>
    does(context, params.id, { type: 'close', suggestion }, version),
  state: ({ params, body: { state_id, beside, target_username: people, suggestion, version } }, context) =>
    does(context, params.id, { type: 'state', state_id, beside, people, suggestion }, version),
  comment: async ({ params, body: { suggestion, mentions: people, files } }, context) => ({
    id: (await does(context, params.id, { type: 'comment', suggestion, people }, undefined, files)).id,
  }),
  urge: async ({ params, body: { suggestion } }, context) => ({
    id: (await does(context, params.id, { type: 'urge', suggestion })).id,
  }),
  cc: async ({ params, body: { target_username: people, suggestion } }, context) => ({
    id: (await does(context, params.id, { type: 'cc', people, suggestion })).id,
  }),
  batch: async ({ body }, context) => ({
    value: await decideSeveral(context, body, async (moved) =>
      context.audit(await noted(context.tx, moved, { 操作: '批量处理' }, { 意见: body.suggestion })),
    ),
  }),
});
