import { useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../calls.ts';
import { send } from '../../../client.ts';
import type { ListCall, ListReply } from '../list-call.ts';
import type { ListRow } from './ListTable.tsx';

interface Props<Row> {
  call: ListCall<Row>;
  query: Record<string, unknown>;
  shown: ListReply<Row>;
  /** Number of the notification: each is checked once. */
  turn: number;
  onRefresh: () => void;
}

/** Announces rows that the list would show now, without moving a row under the person's hand. */
export default function NewRows<Row extends ListRow>({ call, query, shown, turn, onRefresh }: Props<Row>) {
  const { data } = useQuery({
    queryKey: ['ahead', ...keyOf(call, query), turn],
    queryFn: ({ signal }) => send(call, { query }, { signal, quiet: true }) as Promise<ListReply<Row>>,
    staleTime: Infinity,
    gcTime: 0,
  });
  const says = data && saying(shown, data);
  if (!says) return null;
  return (
    <button type="button" className="kit-news" role="status" onClick={onRefresh}>
      {says}，点击刷新
    </button>
  );
}

/** Describes the difference, or null. Only plain fields are compared, because addresses of pictures change by themselves. */
function saying<Row extends ListRow>(shown: ListReply<Row>, now: ListReply<Row>): string | null {
  const known = new Set(shown.value.map((row) => row.id));
  const fresh = now.value.filter((row) => !known.has(row.id)).length;
  if (fresh > 0 && now.total > shown.total) return `有 ${Math.min(fresh, now.total - shown.total)} 条新记录`;
  return plain(shown) === plain(now) ? null : '列表有变化';
}

function plain<Row>({ total, value }: ListReply<Row>): string {
  return JSON.stringify([
    total,
    value.map((row) => Object.entries(row as object).filter(([, field]) => typeof field !== 'object')),
  ]);
}
