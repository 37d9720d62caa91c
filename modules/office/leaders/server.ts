import { dayAfter } from '#kernel/contract/moment.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
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
  async busy({ query: { leaders: names, start, end, address, except = 0 } }, { tx, user }) {
    if (end < start) throw endBeforeStart(end.slice(0, 16), start.slice(0, 16));
    const asked = names.split(',').filter(Boolean).slice(0, 20);
    const span = { start_time: start, end_time: end };
    const [from, to] = [`${start.slice(0, 10)} 00:00:00`, `${dayAfter(end.slice(0, 10), 1)} 00:00:00`];
    const value = await busy(tx, user, asked, from, to, { but: except });
    const ids = (await leadersNamed(tx, asked)).map((one) => one.id);
    const place = address ? (await placesOf(tx, user, address)).find((one) => one.name === address) : undefined;
    return { value, travel: await shortWays(tx, user, ids, span, place?.campus ?? '', except) };
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
