import type { LoadStartedActs, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'document/list': () => import('./DocumentListPage.tsx'),
  'document/register': () => import('./RegisterPage.tsx'),
  'document/exchange': () => import('./ExchangePage.tsx'),
  'document/collect': () => import('./find/CollectPage.tsx'),
  'document/statistics': () => import('./statistics/StatisticsPage.tsx'),
  'document/setting': () => import('./settings/SettingPage.tsx'),
};

export const finders = [() => import('./find/find-documents.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];

export const startedActs: Record<string, LoadStartedActs> = { documents: () => import('./show/StartedActs.tsx') };
