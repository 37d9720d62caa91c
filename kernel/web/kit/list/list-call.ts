import type { core } from 'zod';
import type { Call } from '#kernel/contract/call.ts';

/** A reply made by `listOf`. */
export interface ListReply<Row> {
  value: Row[];
  total: number;
  total_capped?: boolean;
  page: number;
  per_page: number;
}
// oxlint-disable-next-line typescript/no-explicit-any -- a call's variance would refuse every concrete query
export type ListCall<Row> = Call<any, any, any, core.$ZodType<ListReply<Row>>>;
/** A list of any rows, of which only the total is needed. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type AnyListCall = ListCall<any>;
