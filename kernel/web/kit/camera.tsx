import { later } from '../later.tsx';

export { CameraButton } from './camera/CameraButton.tsx';

/** See `Scanner` and `Photographer`; they are loaded when a camera is needed. */
export const Scanner = later(() => import('./camera/Scanner.tsx'));
export const Photographer = later(() => import('./camera/Photographer.tsx'));
