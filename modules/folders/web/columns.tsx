import { Tag } from 'antd';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { folders } from '../contract.ts';
import { statuses, type Paper, type PaperApproval } from '../contract/list.ts';
import type { CategoryNode } from '../contract/rows.ts';

const colours = ['default', 'success', 'default', 'error'] as const;

/** A draft that was sent to be approved shows how far that is. */
export function PaperStatus({ status, approval }: { status: number; approval?: PaperApproval | null }) {
  if (approval)
    return (
      <StatusTag code={approval.act_state} label={approval.act_state === 1 ? '审批中' : approval.act_state_name} />
    );
  return <Tag color={colours[status] ?? 'default'}>{statuses[status as keyof typeof statuses]}</Tag>;
}

/** What a reader has to know of a paper at a glance. */
export function Marks({ paper }: { paper: Paper }) {
  return (
    <>
      {paper.top && <Tag color="gold">置顶</Tag>}
      {paper.to_confirm ? <Tag color="error">待确认</Tag> : paper.must_read && <Tag>必读</Tag>}
    </>
  );
}

export const paperColumns: ListColumn<Paper>[] = [
  { key: 'title', title: '标题', main: true, sort: true, width: 200 },
  { key: 'fwh', title: '发文号', whole: true, width: 160 },
  { key: 'category_name', title: '分类', width: 100 },
  { key: 'dept_name', title: '部门', width: 110 },
  { key: 'publish_date', title: '发布日期', sort: true, width: 116 },
  { key: 'status', title: '状态', width: 90, render: (row) => <PaperStatus {...row} /> },
  { key: 'must_read', title: '必读', width: 90, render: (row) => <Marks paper={row} /> },
];

export const flat = (nodes: readonly CategoryNode[], level = 0): { node: CategoryNode; level: number }[] =>
  nodes.flatMap((node) => [{ node, level }, ...flat(node.children, level + 1)]);

/** Filters of every list of papers, with what there is to choose from. */
export function usePaperFilters(): ListFilter[] {
  const { data: categories = [] } = useCall(folders.categories, {});
  const { data: depts = [] } = useCall(folders.simpleDepts, {});
  const { data: numbers } = useCall(folders.numbers, {});
  return [
    {
      key: 'category',
      label: '分类',
      kind: 'select',
      often: true,
      options: flat(categories).map(({ node, level }) => ({
        value: String(node.id),
        label: `${'　'.repeat(level)}${node.name}（${node.count}）`,
      })),
    },
    {
      key: 'dept',
      label: '部门',
      kind: 'select',
      often: true,
      options: depts.map((dept) => ({ value: String(dept.id), label: `${dept.name}（${dept.count}）` })),
    },
    {
      key: 'status',
      label: '状态',
      kind: 'select',
      often: true,
      options: Object.entries(statuses).map(([value, label]) => ({ value, label })),
    },
    {
      key: 'fwh',
      label: '发文号',
      kind: 'select',
      options: (numbers?.value ?? []).map(({ prefix, count }) => ({ value: prefix, label: `${prefix}（${count}）` })),
    },
    { key: 'year', label: '发文年份', kind: 'text' },
  ];
}
