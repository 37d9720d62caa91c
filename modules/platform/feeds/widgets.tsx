import { later } from '#kernel/web/later.tsx';

export const CalendarFeeds = later(() => import('./web/CalendarFeeds.tsx'));
