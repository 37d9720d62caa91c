import { later } from '#kernel/web/later.tsx';

export { Bell } from './web/Bell.tsx';
export const MessagePreference = later(() => import('./web/MessagePreference.tsx'));
