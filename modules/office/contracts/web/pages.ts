import type { FixedPage, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'contract/list': () => import('./ListPage.tsx'),
  'contract/detail': () => import('./detail/ContractPage.tsx'),
  'contract/manage': () => import('./ManagePage.tsx'),
  'contract/performance': () => import('./PerformancePage.tsx'),
  'contract/category': () => import('./CategoryPage.tsx'),
  'contract/template': () => import('./TemplatePage.tsx'),
  'contract/template/detail': () => import('./TemplateDetailPage.tsx'),
  'contract/statistics': () => import('./StatisticsPage.tsx'),
  'contract/party': () => import('./party/PartyPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/contract/detail/:id', page: 'contract/detail', title: '合同' }];

export const finders = [() => import('./find-contracts.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
