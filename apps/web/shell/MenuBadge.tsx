import { live, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import type { Badge } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';

/** The number beside a menu item, where its module gives one. */
export function MenuBadge({ component }: { component: string }) {
  const badge = registry.badges[component];
  return badge ? <Counted badge={badge} /> : null;
}

function Counted({ badge }: { badge: Badge }) {
  const { data } = useCall(badge.call, badge.asked as never, { quiet: true, meta: live });
  const count = data === undefined ? 0 : badge.count(data);
  return <Count count={count} label={`${count} 项`} />;
}
