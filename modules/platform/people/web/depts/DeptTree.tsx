import { Skeleton, Tree, type TreeDataNode } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { lookups } from '../../contract/lookups.ts';
import { deptNodes, type DeptNode } from './dept-nodes.ts';

interface Props {
  /** The chosen department, null for all. */
  value: number | null;
  onSelect: (dept: number | null) => void;
  /** Only departments of my own data scope. */
  managed?: boolean;
}

/** The tree of departments with head counts; choosing the chosen one again means all. */
export function DeptTree({ value, onSelect, managed }: Props) {
  const { data, error, refetch } = useCall(managed ? lookups.managedDepts : lookups.simpleDepts, {});
  const [open, setOpen] = useState<number[] | null>(null);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />;
  if (data.length === 0) return <EmptyState why="没有可查看的部门" />;
  const nodes = deptNodes(data);
  return (
    <Tree<DeptNode & Pick<TreeDataNode, 'disabled'>>
      blockNode
      aria-label="部门"
      fieldNames={{ key: 'id', title: 'name', children: 'children' }}
      treeData={nodes}
      expandedKeys={open ?? (data.length <= 30 ? data.map((dept) => dept.id) : nodes.map((node) => node.id))}
      onExpand={(keys) => setOpen(keys as number[])}
      selectedKeys={value === null ? [] : [value]}
      onSelect={(keys) => onSelect((keys[0] as number | undefined) ?? null)}
      titleRender={({ name, total }) => (
        <>
          {name} <span className="kit-muted kit-figures">{total}</span>
        </>
      )}
    />
  );
}
