import { Checkbox, Input } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { usualHours, type OpenHours } from '../contract/shapes.ts';

const days = ['一', '二', '三', '四', '五', '六', '日'].map((label, at) => ({ value: at + 1, label: `周${label}` }));

/** Days of the week, with or without holidays, and the open hours. */
export function OpenHoursInput({ value, onChange, disabled = false, ...aria }: FieldControl) {
  const hours = (value as OpenHours | undefined) ?? usualHours;
  const change = (part: Partial<OpenHours>) => onChange?.({ ...hours, ...part });
  const clock = (key: 'from' | 'to', label: string) => (
    <Input
      aria-label={label}
      className="room-clock"
      placeholder="08:00"
      disabled={disabled}
      maxLength={5}
      value={hours[key]}
      onChange={(event) => change({ [key]: event.target.value.replace('：', ':') })}
    />
  );
  return (
    <div {...aria} className="kit-stack" role="group" aria-label="开放时间">
      <Checkbox.Group
        options={days}
        disabled={disabled}
        value={hours.days}
        onChange={(chosen) => change({ days: chosen.toSorted((a, b) => a - b) })}
      />
      <div className="kit-row">
        {clock('from', '开放时间自')} 至 {clock('to', '开放时间至')}
        <Checkbox
          disabled={disabled}
          checked={hours.holidays}
          onChange={(event) => change({ holidays: event.target.checked })}
        >
          节假日开放
        </Checkbox>
      </div>
    </div>
  );
}
