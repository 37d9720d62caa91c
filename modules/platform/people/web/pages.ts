import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/dept': () => import('./depts/DeptPage.tsx'),
  'system/user': () => import('./users/UserPage.tsx'),
  'system/role': () => import('./roles/RolePage.tsx'),
  address: () => import('./AddressPage.tsx'),
};

export const finders = [() => import('./find-people.ts')];
