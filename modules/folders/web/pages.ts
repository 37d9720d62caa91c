import { send } from '#kernel/web/client.ts';
import type { Badge, Finder, Pages } from '#kernel/web/registry.ts';
import { papers } from '../contract/list.ts';

export const pages: Pages = {
  'folder/index': () => import('./HomePage.tsx'),
  'folder/papers': () => import('./PapersPage.tsx'),
  'folder/category': () => import('./CategoryPage.tsx'),
  'folder/collect': () => import('./CollectPage.tsx'),
  'folder/detail': () => import('./PaperPage.tsx'),
};

const findPapers: Finder = async (text, signal) => {
  const query = { search_value: text, per_page: 8 };
  const { value } = await send(papers, { query }, { signal, quiet: true });
  return value.map((row) => ({
    key: `paper-${row.id}`,
    title: row.title,
    hint: `制度文件 ${row.fwh}`.trim(),
    to: `/folder/detail/${row.id}`,
  }));
};
export const finders = [findPapers];

export const badges: Record<string, Badge> = {
  'folder/index': {
    call: papers,
    asked: { query: { to_confirm: true, per_page: 1 } },
    count: (reply) => (reply as { total: number }).total,
  },
};
