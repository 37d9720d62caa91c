import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { asked } from '#kernel/server/list/asked.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { ListAnswer } from '#modules/workflow/records/service.ts';
import type { contracts as calls } from '../contract/contracts.ts';
import { contractSideTable, contractTable } from '../tables.ts';
import { isWaitingFor } from './waiting.ts';

type Filters = Partial<Omit<QueryOf<typeof calls.list>, 'order_by'>>;
/** The filters of contracts, the same for the drafters' list and the ledger. */
const narrowed = (query: Filters): SQL | undefined =>
  and(
    asked(
      query.category_id,
      (one) =>
        sql`${contractTable.category_id} in (with recursive down as (select id from contract_category where id = ${one}
        union select c.id from contract_category c join down on c.parent_id = down.id) select id from down)`,
    ),
    asked(query.stage, (one) => eq(contractTable.stage, one)),
    asked(query.act_state, (one) => eq(contractTable.act_state, one)),
    asked(query.pay_direction, (one) => eq(contractTable.pay_direction, one)),
    asked(query.nature, (one) => eq(contractTable.nature, one)),
    asked(query.dept_id, (one) => eq(contractTable.dept_id, one)),
    asked(query.parent_id, (one) => eq(contractTable.parent_id, one)),
    asked(
      query.party_id,
      (one) =>
        sql`exists (select from ${contractSideTable} s where s.contract_id = ${contractTable.id} and s.party_id = ${one})`,
    ),
    asked(query.amount_min, (one) => sql`${contractTable.amount} >= ${one}`),
    asked(query.amount_max, (one) => sql`${contractTable.amount} <= ${one}`),
    asked(query.create_start, (one) => sql`${contractTable.gmt_created} >= ${one}::date`),
    asked(query.create_end, (one) => sql`${contractTable.gmt_created} < ${one}::date + 1`),
  );
export const listOptions = (query: Filters, { id }: Viewer): ListAnswer => ({
  ...(query.category === 'mine'
    ? { category: 'all', opened: true, where: and(narrowed(query), isWaitingFor(id)) }
    : { where: narrowed(query) }),
  sort: { amount: contractTable.amount, contract_no: contractTable.contract_no, name: contractTable.name },
});
