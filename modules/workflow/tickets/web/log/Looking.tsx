import { useQuery } from '@tanstack/react-query';
import { send } from '#kernel/web/client.ts';
import { useAwaited } from '#kernel/web/live/together.ts';
import { tickets } from '../../contract.ts';

const everyMs = 20_000;

/** Shows who else has this ticket open, and reports that I have, while the page is visible. */
export function Looking({ ticket }: { ticket: number }) {
  const { data, isLoading } = useQuery({
    queryKey: ['looking', ticket],
    queryFn: ({ signal }) => send(tickets.looking, { params: { id: ticket } }, { signal, quiet: true }),
    refetchInterval: everyMs,
    gcTime: 0,
  });
  useAwaited(isLoading);
  if (!data || data.value.length === 0) return null;
  return (
    <p className="kit-muted" role="status">
      {data.value.join('、')} 也在看
    </p>
  );
}
