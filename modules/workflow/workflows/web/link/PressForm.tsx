import { Checkbox, Form, Input } from 'antd';
import { attributeType } from '../../engine/codes.ts';
import type { Transition } from '../../engine/definition.ts';

interface Props {
  transition: Transition;
  onChange: (part: Partial<Transition>) => void;
}

/** The requirements for pressing a button. */
export function PressForm({ transition, onChange }: Props) {
  const refuses = transition.attribute === attributeType.refuse;
  return (
    <Form.Item label="点击时">
      <div className="kit-stack">
        <Checkbox
          checked={transition.field_require_check}
          onChange={(event) => onChange({ field_require_check: event.target.checked })}
        >
          检查必填字段
        </Checkbox>
        <Checkbox
          checked={refuses || transition.suggestion_required}
          disabled={refuses}
          onChange={(event) => onChange({ suggestion_required: event.target.checked })}
        >
          必须填写意见{refuses && '（拒绝总是需要意见）'}
        </Checkbox>
        <Checkbox
          checked={transition.alert_enable}
          onChange={(event) => onChange({ alert_enable: event.target.checked })}
        >
          先弹出确认提示
        </Checkbox>
        {transition.alert_enable && (
          <Input
            aria-label="提示内容"
            placeholder="提示内容，例如：提交后不能修改"
            maxLength={100}
            value={transition.alert_text}
            onChange={(event) => onChange({ alert_text: event.target.value })}
          />
        )}
      </div>
    </Form.Item>
  );
}
