import { and, or, sql } from 'drizzle-orm';
import { holds, scopeOf } from '#kernel/server/access/viewer.ts';
import { answerOf } from '#kernel/server/generic.ts';
import { within } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { implement, type ReplyTo, type ServerModule } from '#kernel/server/http/implement.ts';
import { recordHandlers, type ListOptions } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { isWaiting } from '#modules/platform/waits/service.ts';
import { cancel, displace } from './acts/cancel.ts';
import type { Asked } from './acts/context.ts';
import { meetingWaits } from './acts/duties.ts';
import { dropChange, edit } from './acts/edit.ts';
import { answer, notify, receipts } from './acts/reply.ts';
import { calendar } from './contract/calendar.ts';
import { meetCalls } from './contract/meetings.ts';
import { minutes } from './contract/minutes.ts';
import { series } from './contract/series.ts';
import { signing } from './contract/signing.ts';
import { meetStatistics } from './contract/statistics.ts';
import { minutesHandlers } from './held/minutes.ts';
import { signingHandlers } from './held/signing.ts';
import { calendarHandlers } from './looks/calendar.ts';
import { statistics } from './looks/statistics.ts';
import { refuseForeignDept } from './record/calling.ts';
import { actionsFor } from './record/offered.ts';
import { asked, changeDetail, detailShown, narrowed, rowsShown, whenIs } from './record/reading.ts';
import { keepsRoom, managePage, meetings } from './record/record.ts';
import { columnsOf, refuseTooSmall, writeBeside } from './record/writing.ts';
import type { Repeat } from '#modules/platform/rooms/contract/repeat.ts';
import { seriesHandlers } from './repeats/dates.ts';
import { writeRepeat } from './repeats/series.ts';
import { meetTable } from './tables.ts';

const handlersWith = (options?: ListOptions) =>
  recordHandlers(meetCalls, meetings, {
    async columns(tx, input, { user }, before) {
      await refuseForeignDept(tx, user, input['dept_id'] as number | null | undefined, before);
      return columnsOf(tx, input, before);
    },
    async beside(tx, row, input, { user }, before) {
      await writeBeside(tx, row, input, user, before);
      await writeRepeat(tx, row, input['repeat'] as Repeat | null | undefined);
      if (input['submit']) await refuseTooSmall(tx, row, input);
    },
    row: (tx, rows, viewer) => rowsShown(tx, rows, viewer),
    detail: (tx, row, viewer) => detailShown(tx, row, viewer),
    actions: actionsFor,
    list: (query) => options ?? narrowed(query),
  });
const plain = handlersWith();
/** A list of its own, based on the list of records. */
const list = (query: object, context: Asked, options: ListOptions) =>
  answerOf(handlersWith(options).list, { query: { ...query, category: undefined } }, context);

const asking: ServerModule = implement('meetings', meetCalls, {
  ...plain,
  manage({ query }, context) {
    const { user } = context;
    const reached = holds(user, 'Retrieve', managePage)
      ? within(scopeOf(user, 'Retrieve', managePage), meetTable.dept_id, sql`false`)
      : undefined;
    const where = and(sql`${meetTable.act_state} <> ${inSql(actState.draft)}`, or(keepsRoom(user), reached));
    return list(query, context, { ...narrowed(query, where), first: 'start_time' });
  },
  async attend({ query }, context) {
    const { tx, user, now } = context;
    const where = and(
      asked(user),
      query.when === 'unanswered' ? await isWaiting(tx, user, meetingWaits, meetTable.id) : whenIs(query.when, now),
    );
    const options = { ...narrowed({}, where), first: 'start_time' };
    const found = await list({ ...query, desc: query.desc ?? query.when === 'past' }, context, options);
    // The rows of a list hold one's own part as well, which this call alone shows.
    return found as ReplyTo<typeof meetCalls.attend>;
  },
  edit: ({ params, body }, context) => edit(context, params.id, body),
  change: async ({ params }, { tx, user }) => ({ value: await changeDetail(tx, user, params.id) }),
  dropChange: ({ params }, context) => dropChange(context, params.id),
  receipts: ({ params }, context) => receipts(context, params.id),
  notice: ({ params, body }, context) => notify(context, params.id, body),
  reply: ({ params, body }, context) => answer(context, params.id, body),
  send: ({ params, body }, context) => notify(context, params.id, { ...body, expand: false, urge: false }),
  sendByGet: ({ params, query }, context) => notify(context, params.id, { ...query, expand: false, urge: false }),
  cancel: ({ params, body }, context) => cancel(context, params.id, body),
  cancelByGet: ({ params, query }, context) => cancel(context, params.id, query),
  displace: ({ params, body }, context) => displace(context, params.id, body),
});

export const meetingServers: readonly ServerModule[] = [
  asking,
  implement('meetings', signing, signingHandlers),
  implement('meetings', minutes, minutesHandlers),
  implement('meetings', series, seriesHandlers),
  implement('meetings', calendar, calendarHandlers),
  implement('meetings', { statistics: meetStatistics.call }, { statistics }),
];
