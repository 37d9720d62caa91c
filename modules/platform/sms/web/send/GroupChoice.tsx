import { Button, Select } from 'antd';
import { useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useFill } from '#kernel/web/kit/form/parts/fill.ts';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { smsGroups } from '../../contract/groups.ts';
import { selectionOf } from './SendCount.tsx';

type Group = ReplyOf<typeof smsGroups.list>['value'][number];

const nameOf = ({ name, mine, shared, owner_name }: Group) =>
  mine ? `${name}${shared ? '（本部门共用）' : ''}` : `${name}（${owner_name} 共用）`;

/** Loads saved recipients into the form; and saves those of the form under a name. Typed numbers are not saved. */
export function GroupChoice({
  id,
  disabled,
  groups,
  values,
}: FieldControl & { groups: readonly Group[]; values: Record<string, unknown> }) {
  const fill = useFill();
  const [chosen, setChosen] = useState<number>();
  const [keeping, setKeeping] = useState(false);
  const group = groups.find((one) => one.id === chosen);
  const { recipients, alumnus_ids = [], alumnus_filter = null } = selectionOf(values);
  const body = { ...(recipients ? { recipients } : {}), alumnus_ids, alumnus_filter };
  const somebody = Boolean(recipients) || alumnus_ids.length > 0 || alumnus_filter !== null;
  const choose = (next?: number) => {
    setChosen(next);
    const taken = groups.find((one) => one.id === next);
    if (taken)
      fill({
        recipients: taken.recipients,
        alumnus_ids: taken.alumnus_ids,
        alumnus_filter: taken.alumnus_filter ?? undefined,
      });
  };
  return (
    <div className="kit-stack">
      <Select
        id={id ?? ''}
        className="kit-wide"
        aria-label="分组"
        placeholder={groups.length > 0 ? '选择分组，填入其中的接收人' : '还没有分组，选好接收人后可存为分组'}
        allowClear
        disabled={disabled ?? false}
        showSearch={{ optionFilterProp: 'label' }}
        options={groups.map((one) => ({ value: one.id, label: nameOf(one) }))}
        value={chosen ?? null}
        onChange={(next?: number | null) => choose(next ?? undefined)}
      />
      <div className="kit-row">
        {somebody && (
          <Button size="small" onClick={() => setKeeping(true)}>
            存为分组
          </Button>
        )}
        {group?.actions.includes('update') && somebody && (
          <CallButton
            call={smsGroups.change}
            asked={{ params: { id: group.id }, body: { recipients: nobody, ...body, version: group.version } }}
            size="small"
            confirm={{ title: `更新分组“${group.name}”`, content: '分组中的接收人换成现在所选的' }}
          >
            更新分组
          </CallButton>
        )}
        {group?.actions.includes('share') && (
          <CallButton
            call={smsGroups.share}
            asked={{ params: { id: group.id }, body: { shared: !group.shared } }}
            size="small"
          >
            {group.shared ? '取消共用' : '本部门共用'}
          </CallButton>
        )}
        {group?.actions.includes('delete') && (
          <CallButton
            call={smsGroups.remove}
            asked={{ params: { id: group.id } }}
            danger
            size="small"
            confirm={{ title: `删除分组“${group.name}”`, content: '已发送的短信不受影响；共用的，本部门也不再能选' }}
            onDone={() => setChosen(undefined)}
          >
            删除分组
          </CallButton>
        )}
      </div>
      <FormDrawer
        open={keeping}
        onClose={() => setKeeping(false)}
        onDone={(added) => setChosen(added.id)}
        title="存为分组"
        name="sms-group:new"
        call={smsGroups.add}
        fields={[{ name: 'name', help: '“其他号码”不存入分组' }]}
        also={body}
        submit="保存分组"
      />
    </div>
  );
}
