import { Checkbox, Form } from 'antd';
import { participantType } from '../../engine/codes.ts';
import { calledBy, type State } from '../../engine/definition.ts';
import { HookPicker } from './HookPicker.tsx';

interface Props {
  state: State;
  onChange: (part: Partial<State>) => void;
}

/** The web hook a state calls, and whether the ticket waits for its answer. */
export function HookForm({ state, onChange }: Props) {
  return (
    <>
      <Form.Item
        label="调用"
        htmlFor="state-hook"
        required
        extra="到这里时把表单签名后发给对方；没有发出的会再试，见“投递记录”"
      >
        <HookPicker
          id="state-hook"
          value={calledBy(state)[0]}
          onChange={(hook) => onChange({ participants: [{ type: participantType.hook, hook }] })}
        />
      </Form.Item>
      <Form.Item
        extra={
          state.waits
            ? '办成时走“同意”或“其他”的流转，办不成时走“拒绝”的；给其中一个设置时间，对方一直不回答时走它'
            : '不等回话，发出后就继续'
        }
      >
        <Checkbox checked={state.waits} onChange={(event) => onChange({ waits: event.target.checked })}>
          等对方回答后再继续
        </Checkbox>
      </Form.Item>
    </>
  );
}
