import type { Pages, WebModule } from '#kernel/web/registry.ts';

const modules = Object.values(import.meta.glob<WebModule>('../../modules/*/*/web/pages.ts', { eager: true }));

/** Pages that are composed of several modules. */
const own: Pages = {
  index: () => import('./home/Home.tsx'),
  todo: () => import('./inbox/Inbox.tsx'),
  'ticket/owner': () => import('./mine/Mine.tsx'),
  'user/profile': () => import('./composed/ProfilePage.tsx'),
  'system/login': () => import('./composed/LoginPage.tsx'),
  'document/detail': () => import('./composed/DocumentDetail.tsx'),
  'customer/list': () => import('./composed/CustomersPage.tsx'),
  'customer/detail': () => import('./composed/CustomerDetail.tsx'),
  'customer/project': () => import('./composed/ProjectsPage.tsx'),
  'customer/project/detail': () => import('./composed/ProjectDetail.tsx'),
};

/** Everything the modules contribute to the office, gathered from their small `web/pages.ts`. */
export const registry = {
  pages: Object.assign(own, ...modules.map((m) => m.pages)) as NonNullable<WebModule['pages']>,
  fixed: [
    { path: '/index', page: 'index', title: '首页' },
    { path: '/todo', page: 'todo', title: '待办' },
    { path: '/user/profile', page: 'user/profile', title: '个人中心' },
    { path: '/document/detail/:id', page: 'document/detail', title: '公文详情' },
    ...modules.flatMap((m) => m.fixed ?? []),
  ],
  home: modules.flatMap((m) => m.home ?? []).sort((a, b) => a.order - b.order),
  acts: Object.assign({}, ...modules.map((m) => m.acts)) as NonNullable<WebModule['acts']>,
  batches: Object.assign({}, ...modules.map((m) => m.batches)) as NonNullable<WebModule['batches']>,
  startedActs: Object.assign({}, ...modules.map((m) => m.startedActs)) as NonNullable<WebModule['startedActs']>,
  matterButtons: modules.flatMap((m) => m.matterButtons ?? []),
  movers: Object.assign({}, ...modules.map((m) => m.movers)) as NonNullable<WebModule['movers']>,
  badges: Object.assign({}, ...modules.map((m) => m.badges)) as NonNullable<WebModule['badges']>,
  finders: modules.flatMap((m) => m.finders ?? []),
  starts: modules.flatMap((m) => m.starts ?? []),
  personActs: modules.flatMap((m) => m.personActs ?? []),
};
