import { useQuery } from '@tanstack/react-query';
import { send } from '#kernel/web/client.ts';
import { tickets } from '../../contract.ts';
import '../tickets.css';

const everyMs = 20_000;

/**
 * Shows who else has this ticket open, and reports that I have, while the page is visible. The page does not wait for the answer: the line has its
 * place from the beginning, so that it moves nothing when it comes.
 */
export function Looking({ ticket }: { ticket: number }) {
  const { data } = useQuery({
    queryKey: ['looking', ticket],
    queryFn: ({ signal }) => send(tickets.looking, { params: { id: ticket } }, { signal, quiet: true }),
    refetchInterval: everyMs,
    gcTime: 0,
  });
  return (
    <p className="kit-muted ticket-looking" role="status">
      {data && data.value.length > 0 && `${data.value.join('、')} 也在看`}
    </p>
  );
}
