import { later } from '../later.tsx';

/** See `Scanner` and `Photographer`; they come when a camera is wanted. */
export const Scanner = later(() => import('./camera/Scanner.tsx'));
export const Photographer = later(() => import('./camera/Photographer.tsx'));
