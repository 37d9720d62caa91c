import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { categories } from '../contract/settings.ts';

/** 类别与时限: kinds of faults, their teams and time limits. */
export default function SettingPage() {
  return (
    <NounPage
      card={['team_id', 'is_active']}
      calls={categories}
      name="order/setting"
      title="类别与时限"
      noun="故障类别"
      purpose="每类故障由哪个班组维修、多久响应和完工"
      columns={[
        'name',
        { key: 'team_id', render: (row) => row.team_name },
        ...(['response_0', 'finish_0', 'finish_1', 'finish_2'] as const).map((key) => ({ key, width: 130 })),
        { key: 'auto_dispatch', width: 84, render: (row) => (row.auto_dispatch ? '是' : '—') },
        { key: 'is_active', width: 84, render: (row) => (row.is_active ? '启用' : '停用') },
      ]}
      instead={{ team_id: { render: (control) => <DeptPicker {...(control as object)} /> } }}
      removal="只有没有用过的类别可以删除，用过的可以停用"
      empty="还没有故障类别，新增后才能报修"
    />
  );
}
