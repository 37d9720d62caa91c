import { and, eq, ne, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { defaultIsOff, letterheads, nameTaken } from './contract.ts';
import { redheadTable } from './tables.ts';

/** The templates of letterheads. */
export const letterheadsModule = implement(
  'letterheads',
  letterheads,
  nounHandlers(letterheads, {
    table: redheadTable,
    noun: '红头模板',
    order: { by: { is_default: sql`not ${redheadTable.is_default}` } },
    search: [redheadTable.name, redheadTable.org_line],
    where: (_query, user) =>
      holds(user, 'Retrieve', 'document/setting') ? undefined : eq(redheadTable.status, onOff.on),
    /** At most one template is the default: the last one marked so. */
    async check({ tx }, { row, before }) {
      if (row.is_default && row.status === onOff.off) throw defaultIsOff();
      if (row.is_default)
        await tx
          .update(redheadTable)
          .set({ is_default: false })
          .where(and(eq(redheadTable.is_default, true), ne(redheadTable.id, before?.id ?? 0)));
      return { doc_types: [...new Set(row.doc_types)] };
    },
    unique: { redhead_name_unique: (row) => nameTaken(row.name) },
  }),
);
