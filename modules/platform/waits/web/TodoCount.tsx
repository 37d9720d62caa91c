import { Count } from '#kernel/web/kit/show/Count.tsx';
import { useWaits } from './use-waits.ts';

/** The number of my waiting things, wherever 待办 is shown. */
export default function TodoCount() {
  const { data } = useWaits();
  return <Count count={data?.total ?? 0} label={`${data?.total ?? 0} 项`} />;
}
