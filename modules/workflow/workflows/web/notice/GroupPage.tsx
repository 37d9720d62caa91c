import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { userGroups } from '../../contract/groups.ts';

/** Lists of people for workflows to ask. */
export default function GroupPage() {
  return (
    <NounPage
      card={['working', 'members']}
      calls={userGroups}
      name="workflow/group"
      title="用户组"
      noun="用户组"
      purpose="给一些人起一个名字，流程里可以由“用户组”办理，也可以按发起人是否在用户组里走不同的路"
      columns={['name', { key: 'working', width: 100 }, 'members', 'note']}
      instead={{ people: { render: (control) => <PersonPicker by="id" multiple {...(control as object)} /> } }}
      initial={{ people: [] }}
      removal="删除后无法恢复；流程正在使用的不能删除"
      empty="还没有用户组"
    />
  );
}
