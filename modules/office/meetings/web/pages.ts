import type {
  FixedPage,
  HomeWidget,
  LoadAct,
  LoadMover,
  LoadPersonActs,
  LoadStarts,
  Pages,
} from '#kernel/web/registry.ts';

export const pages: Pages = {
  'meet/attend': () => import('./AttendPage.tsx'),
  'meet/list': () => import('./MeetsPage.tsx'),
  'meet/manage': () => import('./ManagePage.tsx'),
  'meet/detail': () => import('./one/MeetPage.tsx'),
  'meet/change': () => import('./one/ChangePage.tsx'),
  'meet/new': () => import('./form/NewPage.tsx'),
  'meet/book': () => import('./form/BookPage.tsx'),
  'meet/calendar': () => import('./CalendarPage.tsx'),
  'meet/statistics': () => import('./StatisticsPage.tsx'),
  'meet/sign': () => import('./sign/SignPage.tsx'),
  'meet/screen': () => import('./sign/ScreenPage.tsx'),
  'meet/print': () => import('./one/PrintPage.tsx'),
};

export const fixed: FixedPage[] = [
  { path: '/meet/detail/:id', page: 'meet/detail', title: '会议详情' },
  { path: '/meet/change/:id', page: 'meet/change', title: '会议变更' },
  { path: '/meet/new', page: 'meet/new', title: '申请会议' },
  { path: '/meet/book', page: 'meet/book', title: '预约会议' },
  { path: '/meet/sign/:id', page: 'meet/sign', title: '会议签到' },
  { path: '/meet/screen/:id', page: 'meet/screen', title: '签到屏' },
  { path: '/meet/print/:id', page: 'meet/print', title: '打印会议' },
];

export const home: HomeWidget[] = [
  {
    key: 'meet-today',
    title: '今天的会议',
    order: 15,
    place: 'beside',
    load: () => import('./Today.tsx'),
    shows: (codesAt) => codesAt('/meet/attend').includes('Retrieve'),
  },
];

export const acts: Record<string, LoadAct> = { 'meet/attend': () => import('./Attend.tsx') };

export const movers: Record<string, LoadMover> = { meetings: () => import('./moving/Mover.tsx') };

export const finders = [() => import('./find/find-meetings.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];

export const personActs: LoadPersonActs[] = [() => import('./find/person-acts.ts')];
