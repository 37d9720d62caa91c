import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
export { default as TodoCount } from './web/TodoCount.tsx';
export { useUrgent, useWaits } from './web/use-waits.ts';
export { default as WaitingList } from './web/WaitingList.tsx';
export { WaitingLight } from './web/WaitingLight.tsx';

/** See `Later`; its date fields are not part of the frame, which only counts. */
export const Later = later(() => patiently(() => import('./web/Later.tsx')));
