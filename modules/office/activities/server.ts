import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import type { FileStore } from '#modules/platform/files/service.ts';
import { recordHandlers } from '#modules/workflow/records/service.ts';
import { endTicket } from '#modules/workflow/tickets/service.ts';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { board, effectOf, statistics } from './board.ts';
import { activities as calls, activityCalls } from './contract/activities.ts';
import { boardCalls } from './contract/board.ts';
import { activityRuleCalls, activityRules } from './contract/rules.ts';
import { notYours } from './contract/refusals.ts';
import { actsOn, amend, cancel, openFor, returnSummary, summarise } from './record/acts.ts';
import { assess, refusalOf } from './record/assess.ts';
import { changes } from './record/changes.ts';
import { leadersWith } from './record/leaders.ts';
import { detailShown, guestsBefore, listOptions, pathOf, rowsShown } from './record/reading.ts';
import { activities } from './record/record.ts';
import { sheetOf } from './record/sheet.ts';
import { change, columnsOf, draftOf, writeBeside } from './record/writing.ts';

const record = recordHandlers(calls, activities, {
  columns: (tx, input, viewer, before, now) => columnsOf(tx, input, viewer, before, now),
  beside: (tx, row, input, viewer, before) => writeBeside(tx, row, input, viewer, before),
  row: (tx, rows) => rowsShown(tx, rows),
  detail: (tx, row, viewer, now) => detailShown(tx, row, viewer, now),
  actions: (row, viewer, more) => actsOn(row, viewer, more as { change_asked: boolean }),
  list: (asked) => listOptions(asked),
});

export function activityModules({ fileStore }: { fileStore: FileStore }): ServerModule[] {
  return [
    implement('activities', calls, {
      ...record,
      update: ({ params, body }, context) => amend(context, params.id, body),
      async again(input, context) {
        const viewer = await activities.viewerOf(context.tx, context.user);
        const seen = await activities.requireVisible(context.tx, viewer, input.params.id);
        if (seen.act_state !== actState.finished) return record.again(input, context);
        return change(context, (await openFor(context, seen.id, 'change')).row, input.body);
      },
    }),
    implement('activities', activityCalls, {
      async check({ body: { id, ...sent } }, { tx, user, now }) {
        const viewer = await activities.viewerOf(tx, user);
        const before = id === undefined ? null : await activities.requireVisible(tx, viewer, id);
        const draft = await draftOf(tx, sent, viewer, before);
        const judged = await assess(tx, draft, { now, visible: activities.visible(tx, viewer), person: user.id });
        const refusal = await refusalOf(tx, judged, draft, now);
        return { verdict: judged.verdict, steps: await pathOf(tx, judged.verdict), refused: refusal?.message ?? null };
      },
      cancel: ({ params, body }, context) => cancel(context, params.id, body.reason),
      summarise: ({ params, body }, context) => summarise(context, params.id, body),
      returnSummary: ({ params, body }, context) => returnSummary(context, params.id, body.reason),
      async withdrawChange({ params }, context) {
        const viewer = await activities.viewerOf(context.tx, context.user);
        await activities.requireVisible(context.tx, viewer, params.id);
        const pending = (await changes.pendingOf(context.tx, [params.id])).get(params.id);
        if (!pending?.ticket_id) throw absent('在办理的变更');
        if (pending.creator_id !== context.user.id) throw notYours('撤回变更', '申请变更的人');
        await endTicket(context, pending.ticket_id, '申报人撤回变更');
        context.audit({ type: '活动', id: params.id, title: '撤回变更', before: pending.becomes });
        return { id: params.id };
      },
      async changeOf({ params }, { tx, user }) {
        const row = await changes.requireVisible(tx, await changes.viewerOf(tx, user), params.id);
        return { activity_id: row.record_id };
      },
      sheet: staged(activityCalls.sheet, {
        async before({ params }, { read, user }) {
          const row = await activities.requireVisible(read, await activities.viewerOf(read, user), params.id);
          return processingSheetPdf(await sheetOf(read, fileStore, row), user.id);
        },
        run: ({ prepared }) => ({ type: 'application/pdf', bytes: prepared, size: prepared.length }),
      }),
      leaders: async ({ query }, { tx, user }) => ({
        value: await leadersWith(tx, await activities.viewerOf(tx, user), query),
      }),
      guests: async ({ query }, { tx }) => ({ value: await guestsBefore(tx, query.search_value) }),
    }),
    implement('activities', boardCalls, {
      data: ({ query }, { tx, user }) => board(tx, user, query),
      statistics,
      effect: ({ query }, { tx }) => effectOf(tx, query),
    }),
    implement('activities', activityRuleCalls, ruleHandlers(activityRules)),
  ];
}
