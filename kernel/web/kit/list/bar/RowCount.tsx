import { useQuery } from '@tanstack/react-query';
import { keyOf, live } from '../../../calls.ts';
import { send } from '../../../client.ts';
import type { AnyListCall, ListReply } from '../list-call.ts';

export interface Counted {
  call: AnyListCall;
  /** The query of the list. */
  query: Record<string, unknown>;
}

/** The query for the number of rows of a list: it asks for the list's own total, so that the two never differ. */
export function totalOf({ call, query }: Counted) {
  const asked = { query: { ...query, page: 1, per_page: 1 } };
  return {
    queryKey: keyOf(call, asked),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      send(call, asked, { signal, quiet: true }) as Promise<ListReply<never>>,
    meta: live,
  };
}

/** The number of rows of a list for a query. */
export function RowCount(counted: Counted) {
  const { data } = useQuery(totalOf(counted));
  return <span className="kit-figures">{data && ` ${data.total}${data.total_capped ? '+' : ''}`}</span>;
}
