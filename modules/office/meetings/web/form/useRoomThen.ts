import { useRef } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';

interface Wanted {
  room_id: number | null;
  start_time: string | undefined;
  end_time: string | undefined;
}

/** Checks whether a room is available, so that a form does not begin with one that is not. */
export function useRoomThen(wanted: Wanted | null): { free: boolean; coming: boolean } {
  const { room_id = null, start_time = '', end_time = '' } = wanted ?? {};
  const asks = room_id !== null && start_time !== '' && end_time !== '';
  const query = { room_id: room_id ?? 1, start_time: `${start_time}:00`, end_time: `${end_time}:00` };
  const { data, error } = useCall(roomTimes.isApply, { query }, { enabled: asks, quiet: true });
  // The state when the form began: once sent, the meeting occupies the room itself.
  const first = useRef<boolean | null>(null);
  if (data) first.current ??= data.can_apply;
  // If the query fails the room stays chosen, and sending will tell.
  return { free: first.current ?? Boolean(error), coming: asks && !data && !error };
}
