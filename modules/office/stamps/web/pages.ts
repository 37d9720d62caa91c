import type { FixedPage, LoadFinder, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'stamp/application': () => import('./use/ApplicationsPage.tsx'),
  'stamp/detail': () => import('./use/ApplicationPage.tsx'),
  'stamp/desk': () => import('./desk/DeskPage.tsx'),
  'stamp/ledger': () => import('./ledger/LedgerPage.tsx'),
  'stamp/list': () => import('./seals/StampsPage.tsx'),
  'stamp/list/detail': () => import('./seals/StampPage.tsx'),
  'stamp/scan': () => import('./scan/ScanPage.tsx'),
  'stamp/statistics': () => import('./ledger/StatisticsPage.tsx'),
  'stamp/custody': () => import('./custody/SignPage.tsx'),
  'stamp/register': () => import('./ledger/RegisterPage.tsx'),
};

export const fixed: FixedPage[] = [
  { path: '/stamp/detail/:id', page: 'stamp/detail', title: '用印详情' },
  { path: '/stamp/list/detail/:id', page: 'stamp/list/detail', title: '印章详情' },
  { path: '/stamp/custody', page: 'stamp/custody', title: '印章签收' },
  { path: '/stamp/register', page: 'stamp/register', title: '用印登记簿' },
];

export const finders: LoadFinder[] = [() => import('./find-applications.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
