import type { core } from 'zod';
import type { Call } from '#kernel/contract/call.ts';

/** A reply as `listOf` makes it. */
export interface ListReply<Row> {
  value: Row[];
  total: number;
  total_capped?: boolean;
  page: number;
  per_page: number;
}
// oxlint-disable-next-line typescript/no-explicit-any -- a call's variance would refuse every concrete query
export type ListCall<Row> = Call<any, any, any, core.$ZodType<ListReply<Row>>>;
/** Of whatever rows: it is only asked how many there are. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type AnyListCall = ListCall<any>;
