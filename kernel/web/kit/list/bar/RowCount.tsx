import { useQuery } from '@tanstack/react-query';
import { keyOf, live } from '../../../calls.ts';
import { send } from '../../../client.ts';
import type { AnyListCall, ListReply } from '../list-call.ts';

export interface Counted {
  call: AnyListCall;
  /** What the list is asked for. */
  query: Record<string, unknown>;
}

/** The question how many rows a list has for a query: for its own total, so that nothing ever says other than the list. */
export function totalOf({ call, query }: Counted) {
  const asked = { query: { ...query, page: 1, per_page: 1 } };
  return {
    queryKey: keyOf(call, asked),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      send(call, asked as never, { signal, quiet: true }) as Promise<ListReply<never>>,
    meta: live,
  };
}

/** How many rows a list has for a query. */
export function RowCount(counted: Counted) {
  const { data } = useQuery(totalOf(counted));
  return <span className="kit-figures">{data && ` ${data.total}${data.total_capped ? '+' : ''}`}</span>;
}
