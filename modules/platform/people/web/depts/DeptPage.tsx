import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { MoveDrawer } from '#kernel/web/kit/tree/MoveDrawer.tsx';
import { found } from '#kernel/web/kit/tree/nodes.ts';
import { TreeActions } from '#kernel/web/kit/tree/TreeActions.tsx';
import { TreeTable } from '#kernel/web/kit/tree/TreeTable.tsx';
import { toTree } from '#kernel/web/tree.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { deptType } from '../../contract/codes.ts';
import { DeptInput, DeptRow, depts } from '../../contract/depts.ts';
import { DeptForm } from './DeptForm.tsx';
import { useAllDepts } from './use-all-depts.ts';

type DeptNode = DeptRow & { children?: DeptNode[] };

/** Departments as a tree: add, edit, move, delete. */
export default function DeptPage() {
  const { data, error, refetch } = useAllDepts();
  const [form, setForm] = useState<{ row: DeptRow | null; parent?: number } | null>(null);
  const [moving, setMoving] = useState<DeptNode | null>(null);
  const [search, setSearch] = useState('');
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const nodes: DeptNode[] = toTree(data, { parentId: 'parent' });
  const names = (row: DeptRow) => [row.leader_info?.alias ?? '', ...row.approver_info.map((one) => one.alias)];
  const acts = (row: DeptNode) => (
    <TreeActions
      row={row}
      noun="部门"
      holds="部门下有人员或下级部门时不能删除"
      remove={depts.remove}
      onEdit={() => setForm({ row })}
      onAdd={(above) => setForm({ row: null, parent: above })}
      onMove={setMoving}
    />
  );
  const wide = [
    ...tableColumns<DeptNode>(
      DeptRow,
      {
        name: { main: true },
        code: {},
        type: { render: (row) => typeOf(row) ?? '—' },
        leader: { render: (row) => names(row)[0] || '—' },
        dept_ld: { render: (row) => row.dept_ld_info?.alias ?? '—' },
        user_count: {},
        status: { render: status },
      },
      DeptInput.shape,
    ),
    { key: 'act', title: '操作', fixed: 'end' as const, render: (_value: unknown, row: DeptNode) => acts(row) },
  ];
  // A phone has room for one column, so the other columns are shown below the name.
  const inOne = (row: DeptNode) => (
    <div className="kit-facts">
      <span>
        {row.name} {status(row)}
      </span>
      <span className="kit-muted">
        {[typeOf(row), names(row)[0] && `负责人 ${names(row)[0]}`, `${row.user_count} 人`].filter(Boolean).join(' · ')}
      </span>
      {acts(row)}
    </div>
  );
  return (
    <section className="kit-list" aria-label="部门管理">
      <header className="kit-row kit-list-head">
        <h1>部门管理</h1>
        <WithCode code="Create">
          <Button type="primary" onClick={() => setForm({ row: null })}>
            新增部门
          </Button>
        </WithCode>
      </header>
      <SearchBox label="搜索部门" value={search} onSearch={setSearch} />
      <TreeTable<DeptNode>
        key={search}
        nodes={found(nodes, search)}
        move={depts.move}
        empty={search.trim() ? '没有符合条件的部门' : '还没有部门，可点“新增部门”'}
        columns={wide}
        inOne={inOne}
      />
      {moving && (
        <MoveDrawer call={depts.move} noun="部门" nodes={nodes} node={moving} onClose={() => setMoving(null)} />
      )}
      {form && (
        <DeptForm
          open
          onClose={() => setForm(null)}
          row={form.row}
          {...(form.parent === undefined ? {} : { parent: form.parent })}
        />
      )}
    </section>
  );
}

function typeOf(row: DeptRow): string | undefined {
  return deptType.label(row.type);
}

function status(row: DeptRow) {
  return <Tag color={row.status ? 'success' : 'default'}>{row.status ? '启用' : '停用'}</Tag>;
}
