import type { HomeWidget, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'contract/category': () => import('./CategoryPage.tsx'),
  'contract/template': () => import('./TemplatePage.tsx'),
  'contract/template/detail': () => import('./TemplateDetailPage.tsx'),
  'contract/statistics': () => import('./StatisticsPage.tsx'),
  'contract/party': () => import('./party/PartyPage.tsx'),
};

export const home: HomeWidget[] = [
  {
    key: 'contracts',
    title: '我的合同',
    order: 40,
    width: 'half',
    load: () => import('./MyContracts.tsx'),
    shows: (codesAt) => codesAt('/contract/list').includes('Create'),
  },
];

export const finders = [() => import('./find-contracts.ts')];
