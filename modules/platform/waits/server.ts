import { implement } from '#kernel/server/http/implement.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { putAside, takeBack } from './aside.ts';
import { allKinds, waiting } from './contract.ts';
import { laterTimes } from './engine/later.ts';
import { listWaits, waitsOf } from './service.ts';

/** Everything that waits for me, of any module, and the part I put off. */
export const waitsModule = implement('waits', waiting, {
  async mine(_input, { tx, user, services }) {
    const value = await waitsOf(tx, user, services.product.waits);
    const sum = (key: 'count' | 'overdue' | 'aside') => value.reduce((all, one) => all + one[key], 0);
    return { total: sum('count'), overdue: sum('overdue'), aside: sum('aside'), value };
  },
  list: ({ query }, { tx, user, services, now }) => listWaits(tx, user, services.product.waits, query, now),
  times: async (_input, { tx, now }) => laterTimes(now, await calendarOf(tx)),
  async putAside({ body }, { tx, user, services, now }) {
    const asked = { category: allKinds, search_value: '', page: 1, per_page: body.rows.length, only: body.rows };
    const { value } = await listWaits(tx, user, services.product.waits, asked, now);
    return { gone: await putAside(tx, user, body, value, now), count: value.length };
  },
  async takeBack({ body }, { tx, user }) {
    await takeBack(tx, user, body.rows);
    return { count: body.rows.length };
  },
});
