import type { WebModule } from '#kernel/web/registry.ts';

const modules = Object.values(import.meta.glob<WebModule>('../../modules/*/web/pages.ts', { eager: true }));

/** Everything the modules contribute to the office, gathered from their small `web/pages.ts`. */
export const registry = {
  pages: Object.assign({ index: () => import('./home/Home.tsx') }, ...modules.map((m) => m.pages)) as NonNullable<
    WebModule['pages']
  >,
  fixed: [{ path: '/index', page: 'index', title: '首页' }, ...modules.flatMap((m) => m.fixed ?? [])],
  home: modules.flatMap((m) => m.home ?? []).sort((a, b) => a.order - b.order),
  finders: modules.flatMap((m) => m.finders ?? []),
};
