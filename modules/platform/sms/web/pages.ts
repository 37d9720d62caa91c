import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'sms/send': () => import('./SendPage.tsx'),
  'sms/logs': () => import('./LogPage.tsx'),
  'sms/template': () => import('./TemplatePage.tsx'),
};
