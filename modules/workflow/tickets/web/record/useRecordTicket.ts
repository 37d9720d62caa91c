import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { tickets } from '../../contract.ts';
import { useChangedFields, useReadUntil } from '../log/news.tsx';

/**
 * The ticket of a record, for its page; `id` 0 for none. Somebody who only sees the record gets no ticket. Whenever the ticket moves, here or
 * elsewhere, the page's data of `module` is reloaded.
 */
export function useRecordTicket(id: number, module: string) {
  const client = useQueryClient();
  const held = useCall(tickets.get, { params: { id } }, { enabled: id > 0, quiet: true, retry: false, meta: live });
  const ticket = id > 0 ? held.data?.value : undefined;
  const until = useReadUntil(ticket, held.dataUpdatedAt);
  const changed = useChangedFields(ticket, until);
  const moved = ticket?.version;
  const known = useRef(moved);
  useEffect(() => {
    if (known.current !== undefined && known.current !== moved) void client.invalidateQueries({ queryKey: [module] });
    known.current = moved;
  }, [client, module, moved]);
  return { ticket, until, changed, coming: id > 0 && held.isPending };
}
