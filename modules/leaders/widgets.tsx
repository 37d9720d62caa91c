import { anyLive, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { leaders } from './contract.ts';

/** The number beside the menu of schedules: what its list of what waits for me says, as the specification has it. */
export default function ScheduleBadge() {
  const query = { type_id: 1, category: 'duty', per_page: 1 } as never;
  const { data } = useCall(leaders.list, { query }, { quiet: true, meta: anyLive });
  const count = data?.total ?? 0;
  return <Count count={count} label={`${count} 项`} />;
}
