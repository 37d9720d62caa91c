import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/dept': () => import('./depts/DeptPage.tsx'),
  'system/user': () => import('./users/UserPage.tsx'),
  'system/role': () => import('./roles/RolePage.tsx'),
  address: () => import('./AddressPage.tsx'),
  'address/detail': () => import('./PersonPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/address/detail/:id', page: 'address/detail', title: '人员' }];

export const finders = [() => import('./find-people.ts')];
