import { useSearchParams } from 'react-router';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { MeetForm } from './MeetForm.tsx';
import { begunBy } from './begun.ts';

/** The form of a new meeting, with what a day's view led here with, or after another meeting that is held once more. */
export default function NewPage() {
  const [address] = useSearchParams();
  const become = useBecome();
  const copied = Number(address.get('copy'));
  const onClose = () => become('/meet/list?category=owner');
  if (copied > 0) return <MeetForm kind="copy" id={copied} onClose={onClose} />;
  return <MeetForm kind="new" id={0} begin={begunBy(address)} onClose={onClose} />;
}
