import { Button } from 'antd';
import { useState } from 'react';
import { permissionCodes } from '#kernel/contract/call.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { access, type ButtonRow } from '../../contract.ts';
import { IconPicker } from './IconPicker.tsx';

/** The dictionary of buttons: one for each permission code. */
export default function ButtonPage() {
  const [open, setOpen] = useState<ButtonRow | 'new' | null>(null);
  const fields = [
    { name: 'name', label: '名称' },
    { name: 'icon', label: '图标', render: IconPicker },
    { name: 'order_id', label: '排序', help: '小的在前' },
  ];
  const code = { name: 'code', label: '代码', options: permissionCodes.map((one) => ({ value: one, label: one })) };
  return (
    <>
      <ListPage
        name="system/button"
        title="按钮管理"
        purpose="六个权限代码各有一个按钮，菜单从中选择自己提供哪些"
        call={access.buttons}
        numbered
        columns={[
          { key: 'name', title: '名称', main: true, sort: true },
          { key: 'code', title: '代码', sort: true },
          { key: 'icon', title: '图标', render: ({ icon }) => (icon ? <MenuIcon name={icon} /> : '—') },
          { key: 'order_id', title: '排序', number: true, sort: true },
          { key: 'menus', title: '使用的菜单', number: true },
          { key: 'gmt_modified', title: '修改时间', sort: true, width: 134 },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增按钮
            </Button>
          </WithCode>
        }
        onOpen={setOpen}
        rowActions={(button) => (
          <CallButton
            call={access.removeButton}
            asked={{ params: { id: button.id } }}
            allowed={button.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除按钮“${button.name}”`, content: '没有菜单使用它，删除后可重新新增' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: '还没有按钮' }}
      />
      <EditDrawer
        noun="按钮"
        name="button"
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.name}
        add={access.addButton}
        change={access.changeButton}
        invalidates={['accounts']}
        fields={(row) => (row ? fields : [code, ...fields])}
      />
    </>
  );
}
