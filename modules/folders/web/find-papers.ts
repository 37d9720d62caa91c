import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { papers } from '../contract/list.ts';

const findPapers: Finder = async (text, signal) => {
  const query = { search_value: text, per_page: 8, aside: true };
  const { value } = await send(papers, { query }, { signal, quiet: true });
  return value.map((row) => ({
    key: `paper-${row.id}`,
    title: row.title,
    hint: `制度文件 ${row.fwh}`.trim(),
    to: `/folder/detail/${row.id}`,
  }));
};
export default findPapers;
