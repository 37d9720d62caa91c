import { useQuery } from '@tanstack/react-query';
import { moduleOf } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { depts, type DeptRow } from '../../contract/depts.ts';

const max = 50;

/** Every department of my scope, fetched page by page, because the tree is shown whole. */
export function useAllDepts() {
  return useQuery({
    queryKey: [moduleOf(depts.list), depts.list.path, 'all'],
    async queryFn({ signal }) {
      const rows: DeptRow[] = [];
      for (let page = 1; page <= max; page += 1) {
        const list = await send(depts.list, { query: { page, per_page: 100 } }, { signal });
        rows.push(...list.value);
        if (rows.length >= list.total || list.value.length === 0) break;
      }
      return rows;
    },
  });
}
