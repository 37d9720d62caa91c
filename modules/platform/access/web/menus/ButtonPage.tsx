import { permissionCodes } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { buttonCalls } from '../../contract/buttons.ts';
import { IconPicker } from './IconPicker.tsx';

/** The dictionary of buttons: one for each permission code. */
export default function ButtonPage() {
  const { data } = useCall(buttonCalls.list, { query: { per_page: 1 } });
  return (
    <NounPage
      another={data !== undefined && data.total < permissionCodes.length}
      card={['code', 'menus']}
      calls={buttonCalls}
      name="system/button"
      title="按钮管理"
      noun="按钮"
      purpose="六个权限代码各有一个按钮，菜单从中选择自己提供哪些；缺少某个时可新增"
      columns={[
        'name',
        'code',
        { key: 'icon', render: ({ icon }) => (icon ? <MenuIcon name={icon} /> : '—') },
        { key: 'order_id', number: true },
        { key: 'menus', number: true },
        { key: 'gmt_modified', width: 134 },
      ]}
      instead={{ icon: { render: IconPicker } }}
      removal="没有菜单使用它，删除后可重新新增"
      empty="还没有按钮"
      invalidates={['accounts']}
    />
  );
}
