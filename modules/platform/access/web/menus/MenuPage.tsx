import { Button, Skeleton, Tag } from 'antd';
import { useContext, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';
import { MoveDrawer } from '#kernel/web/kit/tree/MoveDrawer.tsx';
import { TreeActions } from '#kernel/web/kit/tree/TreeActions.tsx';
import { TreeTable } from '#kernel/web/kit/tree/TreeTable.tsx';
import { PageNamesContext } from '#kernel/web/registry.ts';
import { toTree } from '#kernel/web/tree.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { access } from '../../contract.ts';
import { MenuRow } from '../../contract/menus.ts';
import { MenuForm } from './MenuForm.tsx';

type Branch = MenuRow & { children?: Branch[] };

/** The menu as a tree: order, icons, pages, hierarchy. */
export default function MenuPage() {
  const { data, error, refetch } = useCall(access.menus, {});
  const [open, setOpen] = useState<MenuRow | { parent: number | null } | null>(null);
  const pages = useContext(PageNamesContext);
  const [moving, setMoving] = useState<Branch | null>(null);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const nodes: Branch[] = toTree(data, { parentId: 'parent' });
  const nameOf = (row: MenuRow) => (
    <button type="button" className="kit-link" onClick={() => setOpen(row)}>
      {row.icon && <MenuIcon name={row.icon} />} {row.name}
    </button>
  );
  const pageOf = (name: string) =>
    !name ? '—' : pages.includes(name) ? name : <Tag color="warning">{name}（没有这个页面）</Tag>;
  const acts = (row: Branch) => (
    <TreeActions
      row={row}
      noun="菜单"
      holds="各角色在该菜单上的权限会一并取消，无法恢复"
      remove={access.removeMenu}
      onEdit={setOpen}
      onAdd={(parent) => setOpen({ parent })}
      onMove={setMoving}
    />
  );
  const wide = [
    ...tableColumns<Branch>(
      MenuRow,
      {
        name: { main: true, render: nameOf },
        web_path: {},
        component: { render: (row) => pageOf(row.component) },
        menuPermission: {
          heading: '权限代码',
          // The buttons that a row offers stay on the screen.
          render: (row) => (
            <span style={{ display: 'block', maxWidth: 160 }}>{row.menuPermission.join('、') || '—'}</span>
          ),
        },
        order_id: { number: true },
        visible: { render: (row) => (row.visible ? '显示' : '隐藏') },
      },
      access.addMenu.body!.shape,
    ),
    { key: 'act', title: '操作', render: (_value: unknown, row: Branch) => acts(row) },
  ];
  // A phone has room for one column, so the other columns are shown below the name.
  const inOne = (row: Branch) => (
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
          <p className="kit-muted">菜单决定侧栏的内容和顺序；可见范围由角色决定</p>
        </div>
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen({ parent: null })}>
            新增菜单
          </Button>
        </WithCode>
      </header>
      <TreeTable<Branch> nodes={nodes} move={access.moveMenu} empty="还没有菜单" columns={wide} inOne={inOne} />
      {moving && (
        <MoveDrawer call={access.moveMenu} noun="菜单" nodes={nodes} node={moving} onClose={() => setMoving(null)} />
      )}
      {open && <MenuForm menus={data} menu={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
