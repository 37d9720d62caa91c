import type { FixedPage, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'meet/day': () => import('./day/DayPage.tsx'),
  'meet/week': () => import('./day/WeekPage.tsx'),
  'meet/room': () => import('./RoomPage.tsx'),
  'meet/office': () => import('./OfficePage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/meet/week/:id', page: 'meet/week', title: '会议室的一周' }];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
