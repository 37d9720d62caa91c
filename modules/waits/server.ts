import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { waiting } from './contract.ts';
import { waitsOf, type Waits } from './service.ts';

/** What waits for me, of whichever module. */
export const waitsModule = (waits: readonly Waits[]): ServerModule =>
  implement('waits', waiting, {
    async mine({ query }, { tx, user }) {
      const value = await waitsOf(tx, user, waits, query.rows);
      const sum = (key: 'count' | 'overdue') => value.reduce((all, one) => all + one[key], 0);
      return { total: sum('count'), overdue: sum('overdue'), value };
    },
  });
