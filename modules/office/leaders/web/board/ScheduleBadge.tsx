import { live, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { leaders } from '../../contract.ts';
import { scheduleType } from '../../contract/codes.ts';

const query = { type_id: scheduleType.usual, category: 'duty', per_page: 1 } as const;

/** How many schedules of leaders wait for me: the total of the list that says which. */
export default function ScheduleBadge() {
  const { data } = useCall(leaders.list, { query }, { meta: live, quiet: true });
  const count = data?.total ?? 0;
  return <Count count={count} label={`${count} 项`} />;
}
