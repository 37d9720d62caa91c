import { Skeleton } from 'antd';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { MeetForm } from './MeetForm.tsx';
import { begunBy } from './begun.ts';

/** The form of a new meeting, prefilled from a day view, a person, or another meeting that is held again. */
export default function NewPage() {
  const [address] = useSearchParams();
  const become = useBecome();
  const copied = Number(address.get('copy'));
  const called = Number(address.get('with'));
  const { data, error } = useCall(lookups.person, { params: { id: called } }, { enabled: called > 0, quiet: true });
  const onClose = () => become('/meet/list?category=owner');
  if (copied > 0) return <MeetForm kind="copy" id={copied} onClose={onClose} />;
  if (called > 0 && !data && !error) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const begin = { ...begunBy(address), ...(data && { audience: { ...nobody, users: [called] } }) };
  return <MeetForm kind="new" id={0} begin={begin} people={data ? [data] : []} onClose={onClose} />;
}
