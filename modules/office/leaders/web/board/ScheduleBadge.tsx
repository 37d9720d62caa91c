import { live, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { leaders } from '../../contract.ts';
import { scheduleType } from '../../contract/codes.ts';

const query = { type_id: scheduleType.usual, category: 'duty', per_page: 1 } as const;

/** The number of schedules that wait for me, equal to the total of their list. */
export default function ScheduleBadge() {
  const { data } = useCall(leaders.list, { query }, { meta: live, quiet: true });
  const count = data?.total ?? 0;
  return <Count count={count} label={`${count} 项`} />;
}
