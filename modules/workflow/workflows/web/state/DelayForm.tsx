import { Form } from 'antd';
import type { Transition } from '../../engine/definition.ts';
import { TimerForm } from '../link/TimerForm.tsx';

interface Props {
  exits: readonly Transition[];
  onChange: (id: number, part: Partial<Transition>) => void;
}

/** The waiting time of a state, stored in its exit. */
export function DelayForm({ exits, onChange }: Props) {
  const [exit] = exits;
  return (
    <Form.Item
      label="等待多久"
      htmlFor="state-delay"
      required
      extra={exit ? `到时间自动“${exit.name}”` : '请先在下面添加流转，再设置等待的时间'}
    >
      {exit && (
        <TimerForm key={exit.id} id="state-delay" transition={exit} onChange={(part) => onChange(exit.id, part)} />
      )}
    </Form.Item>
  );
}
