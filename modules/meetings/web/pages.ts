import type { FixedPage, HomeWidget, Pages } from '#kernel/web/registry.ts';
import { moreFixed, morePages } from './more.ts';

export const pages: Pages = {
  'meet/attend': () => import('./AttendPage.tsx'),
  'meet/list': () => import('./MeetsPage.tsx'),
  'meet/manage': () => import('./ManagePage.tsx'),
  'meet/detail': () => import('./one/MeetPage.tsx'),
  'meet/new': () => import('./form/NewPage.tsx'),
  ...morePages,
};

export const fixed: FixedPage[] = [
  { path: '/meet/detail/:id', page: 'meet/detail', title: '会议详情' },
  { path: '/meet/new', page: 'meet/new', title: '申请会议' },
  ...moreFixed,
];

export const home: HomeWidget[] = [
  {
    key: 'meet-today',
    title: '今天的会议',
    order: 15,
    width: 'half',
    load: () => import('./Today.tsx'),
    shows: (codesAt) => codesAt('meet/attend').length > 0,
  },
];

export const finders = [() => import('./find-meetings.ts')];
