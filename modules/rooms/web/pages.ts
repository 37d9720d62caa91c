import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'meet/day': () => import('./DayPage.tsx'),
  'meet/room': () => import('./RoomPage.tsx'),
  'meet/office': () => import('./OfficePage.tsx'),
};
