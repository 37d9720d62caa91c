import type { FixedPage, LoadFinder, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'customer/contact': () => import('./ContactPage.tsx'),
};
export const fixed: FixedPage[] = [
  { path: '/customer/detail/:id', page: 'customer/detail', title: '客户详情' },
  { path: '/customer/project/detail/:id', page: 'customer/project/detail', title: '项目详情' },
];
export const finders: LoadFinder[] = [() => import('./find-customers.ts')];
