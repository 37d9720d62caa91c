import type { Finder, Pages } from '#kernel/web/registry.ts';
import { findPeople } from './find-people.ts';

export const pages: Pages = {
  'system/dept': () => import('./DeptPage.tsx'),
  'system/user': () => import('./UserPage.tsx'),
  address: () => import('./AddressPage.tsx'),
};

export const finders: Finder[] = [findPeople];
