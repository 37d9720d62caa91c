import { implement } from '#kernel/server/http/implement.ts';
import { started } from './contract.ts';
import { listStarted, startedOf } from './service.ts';

/** Everything I started, of any module. */
export const startedModule = implement('started', started, {
  async mine(_input, { tx, user, services }) {
    const value = await startedOf(tx, user, services.product.started);
    const sum = (key: 'count' | 'running') => value.reduce((all, one) => all + one[key], 0);
    return { total: sum('count'), running: sum('running'), value };
  },
  list: ({ query }, { tx, user, services, now }) => listStarted(tx, user, services.product.started, query, now),
});
