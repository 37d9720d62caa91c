import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/role': () => import('./RolePage.tsx'),
  'system/menu': () => import('./MenuPage.tsx'),
  'system/button': () => import('./ButtonPage.tsx'),
  'system/menu_button': () => import('./MenuButtonPage.tsx'),
};
