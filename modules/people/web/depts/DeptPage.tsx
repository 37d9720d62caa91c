import { Button, Skeleton, Table, Tag } from 'antd';
import type { TableProps } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { toTree } from '#kernel/web/tree.ts';
import { depts, deptTypes, type DeptRow } from '../../contract/depts.ts';
import { DeptForm } from './DeptForm.tsx';
import { useAllDepts } from './use-all-depts.ts';

type Node = DeptRow & { children?: Node[] };

/** Departments as a tree: add, edit, move, delete. */
export default function DeptPage() {
  const { data, error, refetch } = useAllDepts();
  const narrow = useNarrow();
  const [form, setForm] = useState<{ row: DeptRow | null; parent?: number } | null>(null);
  const [search, setSearch] = useState('');
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const word = search.trim().toLowerCase();
  const found = word ? data.filter((row) => `${row.name} ${row.code}`.toLowerCase().includes(word)) : data;
  const names = (row: DeptRow) => [row.leader_info?.alias ?? '', ...row.approver_info.map((one) => one.alias)];
  const acts = (row: DeptRow) => (
    <span className="kit-row">
      {row.actions.includes('update') && (
        <WithCode code="Update">
          <Button size="small" onClick={() => setForm({ row })}>
            编辑
          </Button>
        </WithCode>
      )}
      <WithCode code="Create">
        <Button size="small" onClick={() => setForm({ row: null, parent: row.id })}>
          新增下级
        </Button>
      </WithCode>
      <CallButton
        call={depts.remove}
        asked={{ params: { id: row.id } }}
        allowed={row.actions.includes('delete')}
        size="small"
        danger
        confirm={{ title: `删除部门“${row.name}”`, content: '部门下有人员或下级部门时不能删除' }}
      >
        删除
      </CallButton>
    </span>
  );
  const wide: TableProps<Node>['columns'] = [
    { key: 'name', dataIndex: 'name', title: '部门名称', className: 'kit-main' },
    { key: 'code', dataIndex: 'code', title: '编码', render: (code: string) => code || '—' },
    {
      key: 'type',
      title: '类型',
      render: (_value, row) => typeOf(row) ?? '—',
    },
    { key: 'leader', title: '负责人', render: (_value, row) => names(row)[0] || '—' },
    { key: 'dept_ld', title: '分管领导', render: (_value, row) => row.dept_ld_info?.alias ?? '—' },
    { key: 'user_count', dataIndex: 'user_count', title: '人数', align: 'right', className: 'kit-figures' },
    {
      key: 'status',
      title: '状态',
      render: (_value, row) => status(row),
    },
    {
      key: 'act',
      title: '操作',
      fixed: 'end',
      width: 230,
      render: (_value, row) => acts(row),
    },
  ];
  // A phone has room for one column: what the others say stands under the name.
  const inOne = (row: DeptRow) => (
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
      <Table<Node>
        className="kit-rows"
        rowKey="id"
        size="middle"
        pagination={false}
        sticky
        {...(!narrow && { scroll: { x: 'max-content' } })}
        dataSource={trimmed(toTree(found, { parentId: 'parent' }))}
        expandable={{ defaultExpandAllRows: data.length <= 100 }}
        locale={{ emptyText: <EmptyState why={word ? '没有符合条件的部门' : '还没有部门，可点“新增部门”'} /> }}
        columns={narrow ? [{ key: 'name', title: '部门', render: (_value, row) => inOne(row) }] : wide}
      />
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
  return deptTypes.find((type) => type.value === row.type)?.label;
}

function status(row: DeptRow) {
  return <Tag color={row.status ? 'success' : 'default'}>{row.status ? '启用' : '停用'}</Tag>;
}

/** Without empty lists of children, which the table would offer to open. */
function trimmed(nodes: readonly Node[]): Node[] {
  return nodes.map(({ children, ...node }) =>
    children && children.length > 0 ? { ...node, children: trimmed(children) } : node,
  );
}
