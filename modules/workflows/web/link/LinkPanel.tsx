import { Alert, Button, Checkbox, Form, Input, InputNumber, Radio, Select } from 'antd';
import { attributeType } from '../../engine/codes.ts';
import type { Definition, Transition } from '../../engine/definition.ts';
import type { Names } from '../names.ts';
import { attributeNames, numbered } from '../words.ts';
import { BranchList } from './BranchList.tsx';

interface Props {
  transition: Transition;
  definition: Definition;
  names: Names;
  problems: readonly string[];
  onChange: (part: Partial<Transition>) => void;
  onRemove: () => void;
}

/** Everything about one button: its name and nature, where it leads, what it asks for. */
export function LinkPanel({ transition, definition, names, problems, onChange, onRemove }: Props) {
  const { conditions } = transition;
  const source = definition.states.find((state) => state.id === transition.source);
  const refuses = transition.attribute === attributeType.refuse;
  return (
    <div className="kit-stack">
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <Form layout="vertical" component="div">
        <Form.Item label="按钮名称" htmlFor="link-name" required extra={`「${source?.name ?? ''}」的处理人看到的按钮`}>
          <Input
            id="link-name"
            maxLength={50}
            value={transition.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Form.Item>
        <Form.Item label="性质">
          <Radio.Group
            aria-label="性质"
            options={numbered(attributeNames)}
            value={transition.attribute}
            onChange={(event) => onChange({ attribute: event.target.value })}
          />
        </Form.Item>
        <Form.Item label="条件分支" extra="从上到下，第一个满足的决定去向">
          <BranchList
            transition={transition}
            definition={definition}
            names={names}
            onChange={(next) => onChange({ conditions: next })}
          />
        </Form.Item>
        <Form.Item label={conditions.length > 0 ? '其他情况到' : '到'} htmlFor="link-destination">
          <Select
            id="link-destination"
            options={definition.states.map((state) => ({ value: state.id, label: state.name }))}
            value={transition.destination}
            onChange={(destination) => onChange({ destination })}
          />
        </Form.Item>
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
        <Form.Item label="多久无人操作后自动执行（小时，0 为从不）" htmlFor="link-timer">
          <InputNumber
            id="link-timer"
            min={0}
            max={8760}
            value={transition.timer / 3600}
            onChange={(hours) => onChange({ timer: Math.round((hours ?? 0) * 3600) })}
          />
        </Form.Item>
      </Form>
      <div className="kit-actions">
        <Button danger onClick={onRemove}>
          删除流转
        </Button>
      </div>
    </div>
  );
}
