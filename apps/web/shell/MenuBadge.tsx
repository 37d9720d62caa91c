import { Suspense } from 'react';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { useWaits } from '#modules/platform/waits/widgets.tsx';
import { registry } from '../pages.ts';

const nothing = { default: () => null };
/** Optional: without it the entry has no number. */
const own = Object.fromEntries(
  Object.entries(registry.badges).map(([component, load]) => [
    component,
    later(() => patiently(load).catch(() => nothing)),
  ]),
);

/** The number beside a menu item: the items of all kinds that wait for me on its page, or the number that its module shows there. */
export function MenuBadge({ component }: { component: string }) {
  const { data } = useWaits();
  const Own = own[component];
  if (Own)
    return (
      <Suspense>
        <Own />
      </Suspense>
    );
  // The page's list also shows items that were put aside.
  const kinds = data?.value.filter((kind) => kind.page === component) ?? [];
  const count = kinds.reduce((sum, kind) => sum + kind.count + kind.aside, 0);
  return <Count count={count} label={`${count} 项`} />;
}
