import type { HomeWidget, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/log': () => import('./LogList.tsx'),
  'system/sign_in': () => import('./SignInLog.tsx'),
};

export const home: HomeWidget[] = [
  {
    key: 'audit-today',
    title: '系统运行',
    order: 90,
    place: 'above',
    load: () => import('./home/Today.tsx'),
    shows: (codesAt) => codesAt('/system/log').includes('Retrieve'),
  },
];
