import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { useWaits } from '#modules/waits/widgets.tsx';

const ScheduleBadge = later(() => import('#modules/leaders/widgets.tsx'));
/** The menu of schedules and its list: their number is a call's own. */
const schedules = ['leader', 'leader/list'];

/** The number beside a menu item: how much waits for me on its page. */
export function MenuBadge({ component }: { component: string }) {
  if (!schedules.includes(component)) return <WaitsBadge component={component} />;
  return (
    <Suspense fallback={null}>
      <ScheduleBadge />
    </Suspense>
  );
}

function WaitsBadge({ component }: { component: string }) {
  const { data } = useWaits();
  const kinds = data?.value.filter((kind) => kind.page === component) ?? [];
  const count = kinds.reduce((sum, kind) => sum + kind.count, 0);
  return <Count count={count} label={`${count} 项`} />;
}
