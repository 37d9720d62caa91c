import { Table } from 'antd';
import type { TableProps } from 'antd';
import { useState, type DragEvent, type ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import { useSend } from '../../calls.ts';
import { EmptyState } from '../show/EmptyState.tsx';
import { useNarrow } from '../narrow.ts';
import { branchOf, placeOf, whereOf, type Node, type Where } from './moving.ts';
import './tree.css';

export interface TreeTableProps<N extends Node> {
  nodes: readonly N[];
  columns: NonNullable<TableProps<N>['columns']>;
  /** A phone has room for one column: the content of the others is shown under the name. */
  inOne: (row: N) => ReactNode;
  /** Moves a node (`moveCall`); rows that may be changed can be dragged. */
  move: Calls[string];
  empty: string;
}

/** A larger tree is not expanded completely. */
const fewNodes = 300;

/** A tree as a table whose rows can be dragged before, below and into each other. */
export function TreeTable<N extends Node>({ nodes, columns, inOne, move, empty }: TreeTableProps<N>) {
  const narrow = useNarrow();
  const [dragged, setDragged] = useState<Node | null>(null);
  const [over, setOver] = useState<{ id: number; where: Where } | null>(null);
  const moving = useSend(move);
  const done = () => {
    setDragged(null);
    setOver(null);
  };
  const drop = (row: Node, where: Where) => {
    const place = dragged && placeOf(nodes, dragged, row, where);
    if (place) moving.mutate({ params: { id: dragged.id }, body: { ...place, version: dragged.version } });
    done();
  };
  const whereAt = (event: DragEvent<HTMLElement>) =>
    whereOf(event.clientY, event.currentTarget.getBoundingClientRect());
  const dragging = (row: N): Partial<React.HTMLAttributes<HTMLElement>> => ({
    draggable: row.actions.includes('update'),
    className: over?.id === row.id ? `kit-drop-${over.where}` : '',
    onDragStart: (event) => {
      event.dataTransfer.effectAllowed = 'move';
      setDragged(row);
    },
    onDragOver: (event) => {
      const where = whereAt(event);
      if (!dragged || !placeOf(nodes, dragged, row, where)) return setOver(null);
      event.preventDefault();
      if (over?.id !== row.id || over.where !== where) setOver({ id: row.id, where });
    },
    onDrop: (event) => {
      event.preventDefault();
      drop(row, whereAt(event));
    },
    onDragEnd: done,
  });
  return (
    <Table<N>
      className="kit-rows"
      rowKey="id"
      size="middle"
      pagination={false}
      sticky
      {...(!narrow && { scroll: { x: 'max-content' } })}
      loading={moving.isPending}
      dataSource={trimmed(nodes)}
      expandable={{ defaultExpandAllRows: nodes.flatMap(branchOf).length <= fewNodes }}
      onRow={narrow ? () => ({}) : dragging}
      locale={{ emptyText: <EmptyState why={empty} /> }}
      columns={narrow ? [{ key: 'name', title: '名称', render: (_value, row) => inOne(row) }] : columns}
    />
  );
}

/** Removes empty lists of children, which the table would offer to expand. */
function trimmed<N extends Node>(nodes: readonly N[]): N[] {
  return nodes.map((node) => {
    const { children = [] } = node;
    return { ...node, children: children.length > 0 ? trimmed(children) : undefined };
  });
}
