import { App } from 'antd';
import { messageOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { delegations } from '../contract.ts';

/** Asks for the delegate, the time and the workflows. */
export function DelegationForm({ onClose }: { onClose: () => void }) {
  const administers = useCodesAt()('/system/user').includes('Update');
  const { message } = App.useApp();
  const { data } = useCall(workflows.list, { query: { per_page: 100 } }, { staleTime: 300_000 });
  return (
    <FormDrawer
      name="stand-in"
      title="委托他人代办"
      open
      onClose={onClose}
      call={delegations.create}
      initial={{ chain_limit: 1 }}
      invalidates={['accounts', 'tickets']}
      submit="委托代办"
      onDone={(reply) => void message.success(messageOf(delegations.create, reply))}
      fields={[
        ...(administers
          ? [
              {
                name: 'delegator' as const,
                help: '不填为本人；可替您管理的、不在岗的人设置',
                render: (control: FieldControl) => (
                  <PersonPicker {...control} value={control.value as string | undefined} onChange={control.onChange} />
                ),
              },
            ]
          : []),
        {
          name: 'delegate',
          render: (control) => (
            <PersonPicker {...control} value={control.value as string | undefined} onChange={control.onChange} />
          ),
        },
        { name: 'start', kind: 'datetime-local' },
        {
          name: 'end',
          kind: 'datetime-local',
          notBefore: 'start',
          help: '到时自动结束，也可以提前结束',
        },
        {
          name: 'workflow_ids',
          kind: 'select',
          multiple: true,
          options: data?.value.map((flow) => ({ value: flow.id, label: flow.name })) ?? [],
          help: '不选则为全部流程',
        },
        {
          name: 'chain_limit',
          kind: 'select',
          options: [
            { value: 1, label: '只由代办人办理' },
            { value: 2, label: '代办人外出时，可由其代办人办理' },
            { value: 3, label: '最多再转两次' },
          ],
        },
        { name: 'reason', placeholder: '例如：出差' },
      ]}
    />
  );
}
