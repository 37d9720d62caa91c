import { Button, Table } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { access, buttonCalls } from '../../contract.ts';
import { MenuButtonRow } from '../../contract/buttons.ts';
import { MenuPicker } from './MenuPicker.tsx';

/** The buttons that a menu offers, which roles can be granted there. */
export default function MenuButtonPage() {
  const [menu, setMenu] = useState<number>();
  const [open, setOpen] = useState<MenuButtonRow | 'new' | null>(null);
  const menus = useCall(access.webRouter, {});
  const buttons = useCall(buttonCalls.list, { query: { per_page: 100 } }, { quiet: true });
  const { data: rows = [], isFetching } = useCall(
    access.menuButtons,
    { query: { menu } },
    { enabled: menu !== undefined },
  );
  const offered = new Set(rows.map((one) => one.button));
  const fields = [
    { name: 'name', help: '这个菜单上的叫法，不填则与按钮同名' },
    { name: 'order_id', help: '数值越小越靠前' },
  ];
  const button = {
    name: 'button',
    kind: 'select' as const,
    options: (buttons.data?.value ?? [])
      .filter((one) => !offered.has(one.id))
      .map((one) => ({ value: one.id, label: `${one.name}（${one.code}）` })),
  };
  return (
    <section className="kit-list" aria-label="菜单按钮">
      <header className="kit-row kit-list-head">
        <div>
          <h1>菜单按钮</h1>
          <p className="kit-muted">菜单提供的按钮，即角色在该菜单上可被授予的权限</p>
        </div>
        {menu !== undefined && (
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增菜单按钮
            </Button>
          </WithCode>
        )}
      </header>
      <MenuPicker
        label="菜单"
        placeholder="请选择菜单"
        menus={menus.data ?? []}
        value={menu}
        onChange={(next) => setMenu(next ?? undefined)}
      />
      <Table<MenuButtonRow>
        rowKey="id"
        size="middle"
        pagination={false}
        loading={isFetching}
        dataSource={menu === undefined ? [] : rows}
        locale={{
          emptyText: <EmptyState why={menu === undefined ? '请先选择一个菜单' : '该菜单还没有提供按钮'} />,
        }}
        columns={[
          ...tableColumns(MenuButtonRow, {
            name: {
              main: true,
              render: (one) => (
                <button type="button" className="kit-link" onClick={() => setOpen(one)}>
                  {one.name}
                </button>
              ),
            },
            code: {},
            order_id: {},
          }),
          {
            key: 'act',
            title: '操作',
            render: (_value, one) => (
              <CallButton
                call={access.removeMenuButton}
                asked={{ params: { id: one.id } }}
                danger
                size="small"
                confirm={{ title: `删除菜单按钮“${one.name}”`, content: '有角色拥有它时不能删除' }}
              >
                删除
              </CallButton>
            ),
          },
        ]}
      />
      <EditDrawer
        noun="菜单按钮"
        name={`menu_button:${menu}`}
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.name}
        add={access.addMenuButton}
        change={access.changeMenuButton}
        also={{ menu }}
        invalidates={['accounts']}
        fields={(row) => (row ? fields : [button, ...fields])}
      />
    </section>
  );
}
