import { Count } from '#kernel/web/kit/show/Count.tsx';
import { useWaits } from '#modules/waits/widgets.tsx';

/** The number beside a menu item: how much waits for me on its page. */
export function MenuBadge({ component }: { component: string }) {
  const { data } = useWaits();
  const count = data?.value.find((kind) => kind.page === component)?.count ?? 0;
  return <Count count={count} label={`${count} 项`} />;
}
