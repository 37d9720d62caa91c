import type { HomeWidget } from '#kernel/web/registry.ts';

export const home: HomeWidget[] = [
  { key: 'waits', title: '待阅与待确认', order: 15, width: 'half', load: () => import('./home/Waiting.tsx') },
];
