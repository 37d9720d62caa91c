import { Count } from '#kernel/web/kit/show/Count.tsx';
import { useWaits } from './use-waits.ts';

/** How much waits for me, wherever 待办 is entered. */
export default function TodoCount() {
  const { data } = useWaits();
  return <Count count={data?.total ?? 0} label={`${data?.total ?? 0} 项`} />;
}
