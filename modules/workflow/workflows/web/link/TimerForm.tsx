import { Select, Space } from 'antd';
import { useState } from 'react';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import type { Transition } from '../../engine/definition.ts';
import { timeUnits, unitOf, type TimeUnit } from '../timer-text.ts';

interface Props {
  id: string;
  transition: Pick<Transition, 'timer' | 'timer_working_time'>;
  onChange: (part: Pick<Transition, 'timer' | 'timer_working_time'>) => void;
}
const longest = 31_536_000;
const names: Record<TimeUnit, string> = { minute: '分钟', hour: '小时', day: '天' };

/** The time until a button is taken by itself: a number, its unit, and the kind of hours. */
export function TimerForm({ id, transition, onChange }: Props) {
  const { timer, timer_working_time: working } = transition;
  // Kept while typing, so that 24 hours do not turn into a day at once.
  const [unit, setUnit] = useState<TimeUnit>(() => unitOf(transition));
  const seconds = timeUnits[unit];
  const put = (amount: number, per: number, clock: boolean) =>
    onChange({ timer: Math.min(longest, Math.max(0, Math.round(amount * per))), timer_working_time: clock });
  const amount = timer / seconds;
  return (
    <Space wrap>
      <NumberInput
        id={id}
        min={0}
        max={longest / seconds}
        value={Math.round(amount * 100) / 100}
        onChange={(next) => put(next ?? 0, seconds, working)}
      />
      <Select
        aria-label="时间单位"
        options={(Object.keys(names) as TimeUnit[])
          .filter((one) => one !== 'day' || !working)
          .map((one) => ({ value: one, label: names[one] }))}
        value={unit}
        onChange={(next) => {
          setUnit(next);
          put(amount, timeUnits[next], working);
        }}
      />
      <Select
        aria-label="时间的算法"
        options={[
          { value: 0, label: '按自然时间' },
          { value: 1, label: '只算工作时间' },
        ]}
        value={working ? 1 : 0}
        onChange={(clock) => {
          const next = clock === 1 && unit === 'day' ? 'hour' : unit;
          setUnit(next);
          put(timer / timeUnits[next], timeUnits[next], clock === 1);
        }}
      />
    </Space>
  );
}
