import type { HomeWidget, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/setup': () => import('./setup/SetupPage.tsx'),
  'system/site': () => import('./SitePage.tsx'),
  'system/interface': () => import('./InterfacePage.tsx'),
};

export const home: HomeWidget[] = [
  {
    key: 'setup',
    title: '上线清单',
    // The last of its column: nothing moves when it is complete and goes.
    order: 95,
    place: 'beside',
    load: () => import('./setup/SetupLeft.tsx'),
    shows: (codesAt) => codesAt('/system/setup').includes('Update'),
  },
];
