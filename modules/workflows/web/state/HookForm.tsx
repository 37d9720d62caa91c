import { Form, Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { noticeCalls, noticeTypes } from '../../contract/notices.ts';
import { participantType } from '../../engine/codes.ts';
import { calledBy, type State } from '../../engine/definition.ts';

interface Props {
  state: State;
  onChange: (part: Partial<State>) => void;
}

/** Which web hook a state calls; its address and secret are kept with the notices. */
export function HookForm({ state, onChange }: Props) {
  const { data } = useCall(noticeCalls.simpleNotices, {});
  return (
    <Form.Item
      label="调用"
      htmlFor="state-hook"
      required
      extra="到这里时把表单签名后发给对方，不等回话就继续；没有发出的会再试，见“投递记录”"
    >
      <Select
        id="state-hook"
        placeholder="请选择网络钩子"
        notFoundContent="还没有网络钩子，请先到“通知方式”中添加"
        options={data?.value
          .filter(({ type_id }) => type_id === noticeTypes.hook)
          .map(({ id, name }) => ({ value: id, label: name }))}
        value={calledBy(state)[0]}
        onChange={(hook: number) => onChange({ participants: [{ type: participantType.hook, hook }] })}
      />
    </Form.Item>
  );
}
