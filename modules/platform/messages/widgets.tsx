import { later } from '#kernel/web/later.tsx';

export { Bell, UnreadCount } from './web/Bell.tsx';
export const MessagePreference = later(() => import('./web/MessagePreference.tsx'));
export { keepPush } from './web/push.ts';
