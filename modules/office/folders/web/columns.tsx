import { Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { folderCategories, folders } from '../contract.ts';
import type { CategoryNode } from '../contract/categories.ts';
import { Paper, type PaperApproval, paperStatus, statusName } from '../contract/list.ts';

/** The status of a paper; a draft in review shows the progress of its approval. */
export function PaperStatus({ status, approval }: { status: number; approval?: PaperApproval | null }) {
  if (!approval) return <Tag color={paperStatus.tones[status] ?? 'default'}>{statusName(status)}</Tag>;
  const { act_state, act_state_name } = approval;
  return <StatusTag code={act_state} label={act_state_name} />;
}

/** Tags of a paper. */
export function Marks({ paper }: { paper: Paper }) {
  return (
    <>
      {paper.top && <Tag color="gold">置顶</Tag>}
      {paper.to_confirm ? <Tag color="error">待确认</Tag> : paper.must_read && <Tag>必读</Tag>}
    </>
  );
}

/** The acts that open the form of a paper, in lists and on its page. */
export const paperForms = { update: '编辑', revise: '修订' };

export const paperColumns = listColumns(Paper, {
  title: { main: true, sort: true, note: (row) => row.fwh },
  fwh: { whole: true, hidden: true, width: 160 },
  category_name: { width: 100 },
  dept_name: { width: 110 },
  publish_date: { sort: true, width: 116 },
  status: { width: 90, render: (row) => <PaperStatus {...row} /> },
  must_read: { width: 90, render: (row) => <Marks paper={row} /> },
});

export const flat = (nodes: readonly CategoryNode[], level = 0): { node: CategoryNode; level: number }[] =>
  nodes.flatMap((node) => [{ node, level }, ...flat(node.children, level + 1)]);

/** Filters of every list of papers, with their options. */
export function usePaperFilters(): ListFilter[] {
  const { data: categories = [] } = useCall(folderCategories.list, { query: {} });
  const { data: depts = [] } = useCall(folders.simpleDepts, {});
  const { data: numbers } = useCall(folders.numbers, {});
  const choice = (key: string, options: readonly (readonly [unknown, string])[], often = true) =>
    ({
      key,
      kind: 'select',
      ...(often ? { often } : {}),
      options: options.map(([value, said]) => ({ value: String(value), label: said })),
    }) as ListFilter;
  const named = ({ node, level }: ReturnType<typeof flat>[number]) =>
    `${'　'.repeat(level)}${node.name}（${node.count}）`;
  return [
    choice(
      'category',
      flat(categories).map((one) => [one.node.id, named(one)]),
    ),
    choice(
      'dept',
      depts.map(({ id, name, count }) => [id, `${name}（${count}）`]),
    ),
    choice('status', Object.entries(paperStatus.names)),
    choice(
      'fwh',
      (numbers?.value ?? []).map(({ prefix, count }) => [prefix, `${prefix}（${count}）`]),
      false,
    ),
    { key: 'year', kind: 'text' },
  ];
}
