import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/dept': () => import('./DeptPage.tsx'),
  'system/user': () => import('./UserPage.tsx'),
  address: () => import('./AddressPage.tsx'),
};

export const finders = [() => import('./find-people.ts')];
