import { Input } from 'antd';
import { Suspense, type ComponentProps } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

const RegionInput = later(() => patiently(() => import('./RegionInput.tsx')));
const RegionPick = later(() => patiently(() => import('./RegionPick.tsx')));
const waiting = <Input disabled placeholder="正在读取省市区…" />;

/** See `RegionInput`; the names of the regions are loaded when needed. */
export function LazyRegionInput(props: ComponentProps<typeof RegionInput>) {
  return (
    <Suspense fallback={waiting}>
      <RegionInput {...props} />
    </Suspense>
  );
}

/** See `RegionPick`. */
export function LazyRegionPick(props: ComponentProps<typeof RegionPick>) {
  return (
    <Suspense fallback={waiting}>
      <RegionPick {...props} />
    </Suspense>
  );
}
