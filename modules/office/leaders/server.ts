import { dayAfter } from '#kernel/contract/moment.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { busyTimes, freeFor, lookUntil } from '#modules/platform/calendars/service/busy.ts';
import { board, redpoint } from './board/board.ts';
import { publish, weekPdf, weeks } from './board/weeks.ts';
import { statistics } from './beside/brings.ts';
import { copy } from './beside/copying.ts';
import { dropPlace, placesOf, savePlace } from './beside/places.ts';
import { sendSms } from './beside/texts.ts';
import { leaders } from './contract.ts';
import { leaderRules } from './contract/board.ts';
import { endBeforeStart } from './contract/refusals.ts';
import { back, cancel, edit, reply } from './record/actions.ts';
import { leadersNamed } from './record/attends.ts';
import { scheduleHandlers, shortWays } from './record/reading.ts';
import { schedules } from './record/record.ts';
import { busy } from './service.ts';

const waitingFor = async (tx: Db, user: Parameters<typeof schedules.viewerOf>[1]): Promise<number> =>
  (
    await schedules.list(tx, await schedules.viewerOf(tx, user, 'duty'), {
      page: 1,
      per_page: 1,
      search_value: '',
      category: 'duty',
    })
  ).found.total;

export const leaderModule = implement('leaders', leaders, {
  ...scheduleHandlers,
  edit: ({ params, body }, context) => edit(context, params.id, body),
  cancel: ({ params, body }, context) => cancel(context, params.id, body),
  reply: ({ params, body }, context) => reply(context, params.id, body),
  back: ({ params, body }, context) => back(context, params.id, body),
  async busy({ query: { leaders: names, start, end, address, except = 0, suggest } }, { tx, user, now }) {
    if (end < start) throw endBeforeStart(end.slice(0, 16), start.slice(0, 16));
    const asked = names.split(',').filter(Boolean).slice(0, 20);
    const span = { start_time: start, end_time: end };
    const [from, to] = [`${start.slice(0, 10)} 00:00:00`, `${dayAfter(end.slice(0, 10), 1)} 00:00:00`];
    const known = new Map((await leadersNamed(tx, asked)).map((one) => [one.id, one.username]));
    const ids = [...known.keys()];
    const suggests = suggest && start < end;
    const until = suggests ? lookUntil(end) : to;
    const own = await busy(tx, user, asked, from, until, { but: except });
    // Meetings are in the schedules already.
    const besides = await busyTimes(tx, { viewer: user, users: ids, from, to: until }, ['leaders', 'meetings']);
    const all = [
      ...own,
      ...besides.map(({ user_id, label, ...one }) => ({
        leader: known.get(user_id)!,
        start: one.start_time,
        end: one.end_time,
        label,
      })),
    ];
    const value = all.filter((one) => one.start < to && one.end > from);
    const taken = all.map((one) => ({ start_time: one.start, end_time: one.end }));
    const free = suggests ? await freeFor(tx, span, taken, now) : [];
    const place = address ? (await placesOf(tx, user, address)).find((one) => one.name === address) : undefined;
    return { value, free, travel: await shortWays(tx, user, ids, span, place?.campus ?? '', except) };
  },
  copy: ({ body }, context) => copy(context, body),
  sms: ({ body }, context) => sendSms(context, body),
  board: ({ query }, context) => board(context, query),
  redpoint: async (_input, context) => ({
    ...(await redpoint(context)),
    duty: await waitingFor(context.tx, context.user),
  }),
  weeks: ({ query }, context) => weeks(context, query),
  publish: ({ body }, context) => publish(context, body),
  weekPdf: staged(leaders.weekPdf, {
    before: ({ query }, { read, user }) => weekPdf(read, user, query),
    run: ({ prepared }) => prepared,
  }),
  places: async ({ query }, { tx, user }) => ({ value: await placesOf(tx, user, query.search_value) }),
  dropPlace: ({ params }, context) => dropPlace(context, params.id),
  savePlace: ({ params, body }, context) => savePlace(context, params.id, body),
  statistics,
  ...ruleHandlers(leaderRules, {
    async settle(after, _before, tx) {
      await leadersNamed(tx, after.main_leaders);
      return after;
    },
  }),
});
