import { Button, Skeleton, Table, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { DeptPicker, PersonPicker } from '#modules/people/widgets.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import { folders } from '../contract.ts';
import type { CategoryNode } from '../contract/rows.ts';
import { CategoryPicker } from './edit/PaperForm.tsx';

type Open = { row: Branch | null; parent?: number };

/** The tree papers are filed in. */
export default function CategoryPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, refetch } = useCall(folders.categories, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <section className="kit-list" aria-label="文件分类">
      <header className="kit-row kit-list-head">
        <div>
          <h1>文件分类</h1>
          <p className="kit-muted">最多四级；限定部门后，其中的文件只有这些部门可见</p>
        </div>
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen({ row: null })}>
            新增分类
          </Button>
        </WithCode>
      </header>
      {data ? (
        <Table<Branch>
          rowKey="id"
          size="middle"
          className="kit-rows"
          pagination={false}
          scroll={{ x: 'max-content' }}
          dataSource={branches(data)}
          expandable={{
            defaultExpandAllRows: true,
            childrenColumnName: 'children',
          }}
          locale={{ emptyText: <EmptyState why="还没有分类，点“新增分类”开始" /> }}
          columns={[
            { title: '名称', className: 'kit-main', dataIndex: 'name' },
            { title: '编码', render: (_value, row) => row.code || '—' },
            { title: '现行文件', dataIndex: 'count', align: 'right', className: 'kit-figures' },
            { title: '可见部门', render: (_value, row) => row.scope_names.join('、') || '全部' },
            { title: '管理员', render: (_value, row) => row.managers_info.map((one) => one.alias).join('、') || '—' },
            { title: '发布审批', render: (_value, row) => row.workflow_name || '—' },
            { title: '排序', dataIndex: 'order_id', align: 'right', className: 'kit-figures' },
            {
              title: '状态',
              render: (_value, row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
            },
            { title: '操作', render: (_value, row) => <Actions row={row} onOpen={setOpen} /> },
          ]}
        />
      ) : (
        <Skeleton active className="kit-panel" paragraph={{ rows: 6 }} />
      )}
      {open && <Drawer open={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

/** Without the empty lists below leaves, which the table would offer to open. */
type Branch = Omit<CategoryNode, 'children'> & { children?: Branch[] };
const branches = (nodes: readonly CategoryNode[]): Branch[] =>
  nodes.map(({ children, ...node }) => (children.length > 0 ? { ...node, children: branches(children) } : node));

function Actions({ row, onOpen }: { row: Branch; onOpen: (open: Open) => void }) {
  return (
    <div className="kit-row">
      {row.actions.includes('update') && (
        <Button size="small" onClick={() => onOpen({ row })}>
          编辑
        </Button>
      )}
      <WithCode code="Create">
        <Button size="small" onClick={() => onOpen({ row: null, parent: row.id })}>
          新增下级
        </Button>
      </WithCode>
      <CallButton
        call={folders.removeCategory}
        asked={{ params: { id: row.id } }}
        allowed={row.actions.includes('delete')}
        danger
        size="small"
        confirm={{ title: `删除分类“${row.name}”`, content: '其中没有分类和文件时才能删除' }}
      >
        删除
      </CallButton>
    </div>
  );
}

function Drawer({ open: { row, parent }, onClose }: { open: Open; onClose: () => void }) {
  const flows = useCall(workflows.list, { query: { module: 'folders', per_page: 100 } });
  const fields: FormField[] = [
    { name: 'name', label: '分类名称' },
    { name: 'code', label: '分类编码', help: '可不填；填写的不能重复' },
    {
      name: 'parent',
      label: '上级分类',
      render: (control: object) => <CategoryPicker {...control} placeholder="不选则为一级" />,
    },
    {
      name: 'scope',
      label: '可见部门',
      help: '包括下级部门；不选则全部可见',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} multiple value={(value as number[] | undefined) ?? []} onChange={onChange} />
      ),
    },
    {
      name: 'managers',
      label: '分类管理员',
      help: '有文件管理权限的人员，可管理该分类及下级的全部文件',
      render: ({ id, value, onChange }) => (
        <PersonPicker
          id={id}
          multiple
          known={row?.managers_info ?? []}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
        />
      ),
    },
    {
      name: 'workflow_id',
      label: '发布审批流程',
      kind: 'select',
      help: '选了则发布前须经审批；不选则同上级分类，都不选则直接发布',
      options: (flows.data?.value ?? [])
        .filter((one) => one.id === row?.workflow_id || (one.status === 1 && one.published_version !== null))
        .map((one) => ({ value: one.id, label: one.name })),
    },
    { name: 'order_id', label: '排序', help: '小的在前' },
    { name: 'status', label: '启用', help: '停用后不能再放入新文件' },
  ];
  const common = { open: true, onClose, onDone: () => undefined, fields };
  return row ? (
    <FormDrawer
      {...common}
      title={`编辑分类“${row.name}”`}
      name={`category:${row.id}`}
      call={folders.updateCategory}
      params={{ id: row.id }}
      initial={{ ...row }}
      also={{ version: row.version }}
      submit="保存分类"
    />
  ) : (
    <FormDrawer
      {...common}
      title="新增分类"
      name="category:new"
      call={folders.createCategory}
      initial={{ status: true, parent }}
      submit="新增分类"
    />
  );
}
