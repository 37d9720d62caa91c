import { Alert, Button, Checkbox, Form, Input, Radio } from 'antd';
import { asksPeople, awaitedIn, type Definition, type Transition } from '../../engine/definition.ts';
import { automatic } from '../designer/kinds.ts';
import type { Names } from '../names.ts';
import { attributeNames, numbered } from '../words.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { BranchList } from './BranchList.tsx';
import { BranchWays } from './BranchWays.tsx';
import { PressForm } from './PressForm.tsx';
import { TimerForm } from './TimerForm.tsx';

interface Props {
  transition: Transition;
  definition: Definition;
  names: Names;
  problems: readonly string[];
  onChange: (part: Partial<Transition>) => void;
  onRemove: () => void;
}

/** Everything about one button: name and kind, targets, required input. */
export function LinkPanel({ transition, definition, names, problems, onChange, onRemove }: Props) {
  const { conditions } = transition;
  const source = definition.states.find((state) => state.id === transition.source);
  const waits = source?.kind === 'delay';
  const answers = source !== undefined && awaitedIn(source) === 'result';
  const timeable = waits || answers || (source !== undefined && asksPeople(source));
  const pressed = !source || !automatic.includes(source.kind);
  return (
    <div className="kit-stack">
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <Form layout="vertical" component="div">
        <Form.Item
          label="按钮名称"
          htmlFor="link-name"
          required
          extra={pressed ? `“${source?.name ?? ''}”的办理人看到的按钮` : '自动执行，没有人看到这个按钮'}
        >
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
        {(source?.kind === 'inclusive' || transition.otherwise) && (
          <Form.Item>
            <Checkbox
              checked={transition.otherwise}
              onChange={(event) => onChange({ otherwise: event.target.checked })}
            >
              都不满足时走这里
            </Checkbox>
          </Form.Item>
        )}
        <LabelledSelect
          id="link-destination"
          label={conditions.length > 0 ? '其他情况到' : '到'}
          options={definition.states.map((state) => ({ value: state.id, label: state.name }))}
          value={transition.destination}
          onChange={(destination) => onChange({ destination })}
        />
        <BranchWays transition={transition} definition={definition} onChange={onChange} />
        {pressed && <PressForm transition={transition} onChange={onChange} />}
        {(timeable || transition.timer > 0) && (
          <Form.Item
            label={waits ? '等待多久' : answers ? '多久没有回答后走这里' : '多久无人操作后自动执行'}
            htmlFor="link-timer"
            required={waits}
            extra={waits ? '到时间自动继续' : '填 0 为从不；一个环节只能有一个定时流转'}
          >
            <TimerForm id="link-timer" transition={transition} onChange={onChange} />
          </Form.Item>
        )}
      </Form>
      <div className="kit-actions">
        <Button danger onClick={onRemove}>
          删除流转
        </Button>
      </div>
    </div>
  );
}
