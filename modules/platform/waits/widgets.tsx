export { Later } from './web/Later.tsx';
export { default as TodoCount } from './web/TodoCount.tsx';
export { useUrgent, useWaits } from './web/use-waits.ts';
export { WaitingLight } from './web/WaitingLight.tsx';
