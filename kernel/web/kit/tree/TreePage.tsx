import { Button, Skeleton } from 'antd';
import { useState, type ReactNode } from 'react';
import type { core } from 'zod';
import type { Calls } from '#kernel/contract/call.ts';
import { useCall } from '../../calls.ts';
import { WithCode } from '../press/CallButton.tsx';
import type { FormField } from '../form/FieldInput.tsx';
import { EditDrawer } from '../form/EditDrawer.tsx';
import { elementOf, shapeOf } from '../form/rules.ts';
import type { FieldColumn } from '../list/columns/listColumns.ts';
import { tableColumns } from '../list/columns/tableColumns.ts';
import { SearchBox } from '../list/bar/SearchBox.tsx';
import { FailedState } from '../show/FailedState.tsx';
import { MoveDrawer } from './MoveDrawer.tsx';
import type { Node } from './moving.ts';
import { TreeActions } from './TreeActions.tsx';
import { TreePicker } from '../form/TreePicker.tsx';
import { found, pickable } from './nodes.ts';
import { TreeTable } from './TreeTable.tsx';

type Names = 'list' | 'add' | 'change' | 'move' | 'remove';
type Open<N> = { row: N } | { parent: number | null };

export interface TreePageProps<N extends Node> {
  /** From `treeCalls`. */
  calls: Record<Names, Calls[string]>;
  title: string;
  noun: string;
  help?: string;
  /** Contents that must be removed before a node is deleted: 其中没有分类和文件时才能删除. */
  holds: string;
  /** Columns by the names of a node's fields, with titles from the form or the node. */
  columns: { readonly [K in keyof N & string]?: FieldColumn<N> };
  /** The content that a phone shows under the name. */
  inOne: (row: N) => ReactNode;
  /** Fields besides name, parent and position, of a node or of a new one. */
  fields: (row: N | null) => FormField[];
  /** Initial values of a new node. */
  initial?: Record<string, unknown>;
}

/** The page of a category tree: rows that can be dragged, one form to add and to edit. */
export function TreePage<N extends Node>(props: TreePageProps<N>) {
  const { calls, title, noun, help, holds, columns, inOne } = props;
  const { data, error, refetch } = useCall(calls.list, { query: {} });
  const [open, setOpen] = useState<Open<N> | null>(null);
  const [moving, setMoving] = useState<N | null>(null);
  const [word, setWord] = useState('');
  const nodes = (data ?? []) as N[];
  const acts = (row: N) => (
    <TreeActions
      row={row}
      noun={noun}
      holds={holds}
      remove={calls.remove}
      onEdit={() => setOpen({ row })}
      onAdd={(parent) => setOpen({ parent })}
      onMove={setMoving}
    />
  );
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <section className="kit-list" aria-label={title}>
      <header className="kit-row kit-list-head">
        <div>
          <h1>{title}</h1>
          {help && <p className="kit-muted">{help}</p>}
        </div>
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen({ parent: null })}>
            新增{noun}
          </Button>
        </WithCode>
      </header>
      <SearchBox label={`搜索${noun}`} value={word} onSearch={setWord} />
      {data ? (
        <TreeTable<N>
          key={word}
          nodes={found(nodes, word)}
          move={calls.move}
          empty={word.trim() ? `没有符合条件的${noun}` : `还没有${noun}，可点“新增${noun}”`}
          columns={[
            { key: 'name', title: '名称', dataIndex: 'name', className: 'kit-main' },
            ...tableColumns(nodeOf<N>(calls.list), columns, shapeOf(calls.add.body)),
            { key: 'act', title: '操作', fixed: 'end', render: (_value, row) => acts(row) },
          ]}
          inOne={(row) => (
            <div className="kit-facts">
              <span>{row.name}</span>
              <span className="kit-muted">{inOne(row)}</span>
              {acts(row)}
            </div>
          )}
        />
      ) : (
        <Skeleton active className="kit-panel" paragraph={{ rows: 6 }} />
      )}
      {open && <NodeForm {...props} nodes={nodes} open={open} onClose={() => setOpen(null)} />}
      {moving && (
        <MoveDrawer call={calls.move} noun={noun} nodes={nodes} node={moving} onClose={() => setMoving(null)} />
      )}
    </section>
  );
}

/** The schema of a node of the reply. */
const nodeOf = <N extends Node>({ reply }: Calls[string]) => elementOf(reply as core.$ZodType) as core.$ZodType<N>;

interface FormProps<N extends Node> extends TreePageProps<N> {
  nodes: readonly N[];
  open: Open<N>;
  onClose: () => void;
}

function NodeForm<N extends Node>({ calls, noun, fields, initial, nodes, open, onClose }: FormProps<N>) {
  const row = 'row' in open ? open.row : null;
  const parent: FormField = {
    name: 'parent',
    label: `上级${noun}`,
    render: (control) => (
      <TreePicker {...(control as object)} nodes={pickable(nodes, row?.id)} placeholder="不选则为一级" />
    ),
  };
  const [head, ...rest] = [{ name: 'name', label: `${noun}名称` }, ...fields(row)];
  return (
    <EditDrawer
      noun={noun}
      name={calls.list.path}
      open={row ?? 'new'}
      onClose={onClose}
      titleOf={({ name }) => name}
      add={calls.add}
      change={calls.change}
      initial={{ ...initial, parent: ('parent' in open && open.parent) || null }}
      valuesOf={(node) => ({ ...node, parent: node.parent || null })}
      fields={[head!, parent, ...rest]}
    />
  );
}
