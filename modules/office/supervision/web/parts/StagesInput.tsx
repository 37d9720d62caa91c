import { Button, Checkbox, Input, InputNumber } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import './supervise.css';

interface Stage {
  title?: string;
  day?: string;
  weight?: number;
  evidence?: boolean;
}
/** Stages of a task, each with its day and share: none, or 100 together. */
export function StagesInput({ id, value, onChange }: FieldControl) {
  const stages = (value as Stage[] | undefined) ?? [];
  const set = (at: number, more: Stage) => onChange?.(stages.map((one, no) => (no === at ? { ...one, ...more } : one)));
  const sum = stages.reduce((all, one) => all + (one.weight ?? 0), 0);
  return (
    <div id={id}>
      {stages.map((one, at) => (
        <div key={at} className="sup-stage">
          <Input
            aria-label={`阶段 ${at + 1}`}
            placeholder="阶段"
            value={one.title}
            onChange={(event) => set(at, { title: event.target.value })}
          />
          <DateInput
            kind="date"
            aria-label={`阶段 ${at + 1} 计划完成日`}
            value={one.day}
            onChange={(day) => set(at, { day })}
          />
          <InputNumber
            aria-label={`阶段 ${at + 1} 权重`}
            min={1}
            max={100}
            suffix="%"
            value={one.weight}
            onChange={(weight) => set(at, { weight: weight ?? 1 })}
          />
          <Checkbox checked={one.evidence ?? false} onChange={({ target }) => set(at, { evidence: target.checked })}>
            须佐证
          </Checkbox>
          <Button
            type="text"
            aria-label={`移除阶段 ${at + 1}`}
            onClick={() => onChange?.(stages.filter((_one, no) => no !== at))}
          >
            ×
          </Button>
        </div>
      ))}
      <div className="kit-row">
        <Button onClick={() => onChange?.([...stages, { title: '', weight: Math.max(1, 100 - sum), evidence: false }])}>
          加一个阶段
        </Button>
        {stages.length > 0 && <span className="kit-muted">权重合计 {sum}，应为 100</span>}
      </div>
    </div>
  );
}
