import { implement } from '#kernel/server/http/implement.ts';
import { waiting } from './contract.ts';
import { listWaits, waitsOf } from './service.ts';

/** What waits for me, of whichever module. */
export const waitsModule = implement('waits', waiting, {
  async mine(_input, { tx, user, services }) {
    const value = await waitsOf(tx, user, services.product.waits);
    const sum = (key: 'count' | 'overdue') => value.reduce((all, one) => all + one[key], 0);
    return { total: sum('count'), overdue: sum('overdue'), value };
  },
  list: ({ query }, { tx, user, services, now }) => listWaits(tx, user, services.product.waits, query, now),
});
