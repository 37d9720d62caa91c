import { Button, Skeleton, Table, Tag } from 'antd';
import type { TableProps } from 'antd';
import { useContext, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { PageNamesContext } from '#kernel/web/registry.ts';
import { toTree } from '#kernel/web/tree.ts';
import { access, type MenuRow } from '../../contract.ts';
import { MenuForm } from './MenuForm.tsx';

/** The menu as a tree: order, icons, pages, who is above whom. */
export default function MenuPage() {
  const { data, error, refetch } = useCall(access.menus, {});
  const [open, setOpen] = useState<MenuRow | { parent: number | null } | null>(null);
  const pages = useContext(PageNamesContext);
  const narrow = useNarrow();
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const nameOf = (row: MenuRow) => (
    <button type="button" className="kit-link" onClick={() => setOpen(row)}>
      {row.icon && <MenuIcon name={row.icon} />} {row.name}
    </button>
  );
  const pageOf = (name: string) =>
    !name ? '—' : pages.includes(name) ? name : <Tag color="warning">{name}（没有这个页面）</Tag>;
  const acts = (row: MenuRow) => (
    <div className="kit-row">
      <WithCode code="Create">
        <Button size="small" onClick={() => setOpen({ parent: row.id })}>
          新增下级
        </Button>
      </WithCode>
      <CallButton
        call={access.removeMenu}
        asked={{ params: { id: row.id } }}
        allowed={row.actions.includes('delete')}
        danger
        size="small"
        confirm={{ title: `删除菜单“${row.name}”`, content: '各角色在该菜单上的权限会一并取消，无法恢复' }}
      >
        删除
      </CallButton>
    </div>
  );
  const wide: TableProps<MenuRow>['columns'] = [
    {
      title: '名称',
      dataIndex: 'name',
      className: 'kit-main',
      render: (_name, row) => nameOf(row),
    },
    { title: '路径', dataIndex: 'web_path' },
    {
      title: '页面组件',
      dataIndex: 'component',
      render: pageOf,
    },
    { title: '权限代码', render: (_value, row) => row.menuPermission.join('、') || '—' },
    { title: '排序', dataIndex: 'order_id', align: 'right', className: 'kit-figures' },
    { title: '显示', dataIndex: 'visible', render: (visible: boolean) => (visible ? '显示' : '隐藏') },
    {
      title: '操作',
      render: (_value, row) => acts(row),
    },
  ];
  // A phone has room for one column: what the others say stands under the name.
  const inOne = (row: MenuRow) => (
    <div className="kit-facts">
      {nameOf(row)}
      <span className="kit-muted">
        {row.web_path} · {row.visible ? '显示' : '隐藏'}
        {row.component && <> · {pageOf(row.component)}</>}
      </span>
      {acts(row)}
    </div>
  );
  return (
    <section className="kit-list" aria-label="菜单管理">
      <header className="kit-row kit-list-head">
        <div>
          <h1>菜单管理</h1>
          <p className="kit-muted">菜单决定侧栏的样子；谁能看到由角色决定</p>
        </div>
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen({ parent: null })}>
            新增菜单
          </Button>
        </WithCode>
      </header>
      <Table<MenuRow>
        rowKey="id"
        size="middle"
        pagination={false}
        expandable={{ defaultExpandAllRows: !narrow }}
        {...(!narrow && { scroll: { x: 'max-content' } })}
        dataSource={withoutEmpty(toTree(data, { parentId: 'parent' }))}
        locale={{ emptyText: <EmptyState why="还没有菜单" /> }}
        columns={narrow ? [{ key: 'name', title: '菜单', render: (_value, row) => inOne(row) }] : wide}
      />
      {open && <MenuForm menus={data} menu={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

type Branch = MenuRow & { children?: Branch[] };

/** A leaf has no children at all, else the table offers to unfold it. */
function withoutEmpty(branches: Branch[]): Branch[] {
  return branches.map(({ children = [], ...row }) =>
    children.length > 0 ? { ...row, children: withoutEmpty(children) } : row,
  );
}
