import type { LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'meet/day': () => import('./day/DayPage.tsx'),
  'meet/room': () => import('./RoomPage.tsx'),
  'meet/office': () => import('./OfficePage.tsx'),
};

export const starts: LoadStarts[] = [() => import('./starts.ts')];
