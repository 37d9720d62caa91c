import { useRef } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';

interface Wanted {
  room_id: number | null;
  start_time: string | undefined;
  end_time: string | undefined;
}

/** Whether a room is to be had then: what cannot be had is not begun with. */
export function useRoomThen(wanted: Wanted | null): { free: boolean; coming: boolean } {
  const { room_id = null, start_time = '', end_time = '' } = wanted ?? {};
  const asks = room_id !== null && start_time !== '' && end_time !== '';
  const query = { room_id: room_id ?? 1, start_time: `${start_time}:00`, end_time: `${end_time}:00` };
  const { data, error } = useCall(roomTimes.isApply, { query }, { enabled: asks, quiet: true });
  // As it was when the form began: once the meeting is sent, it has the room itself.
  const first = useRef<boolean | null>(null);
  if (data) first.current ??= data.can_apply;
  // Where nobody can tell, the room stays chosen, and sending it tells.
  return { free: first.current ?? Boolean(error), coming: asks && !data && !error };
}
