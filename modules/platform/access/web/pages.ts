import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/menu': () => import('./menus/MenuPage.tsx'),
  'system/button': () => import('./menus/ButtonPage.tsx'),
  'system/menu_button': () => import('./menus/MenuButtonPage.tsx'),
};
