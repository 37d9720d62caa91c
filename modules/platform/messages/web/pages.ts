import type { FixedPage, LoadPersonActs, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  msg: () => import('./MessagePage.tsx'),
  'msg/send': () => import('./NoticePage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/msg', page: 'msg', title: '消息' }];

export const personActs: LoadPersonActs[] = [() => import('./find/person-acts.ts')];
