import { useSearchParams } from 'react-router';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { MeetForm } from './MeetForm.tsx';

/** The form of a new meeting, with the room and time that a day's view led here with. */
export default function NewPage() {
  const [address] = useSearchParams();
  const become = useBecome();
  const { room_id, ...times } = Object.fromEntries(address);
  return (
    <MeetForm
      kind="new"
      id={0}
      begin={{ ...times, ...(Number(room_id) > 0 && { room_id: Number(room_id) }) }}
      onClose={() => become('/meet/list?category=owner')}
    />
  );
}
