import { lazy } from 'react';

export { Bell } from './web/Bell.tsx';
export const MessagePreference = lazy(() => import('./web/MessagePreference.tsx'));
