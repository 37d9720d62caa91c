import { Button, Calendar, Select } from 'antd';
import dayjs, { type ManipulateType } from 'dayjs';
import 'dayjs/locale/zh-cn';
import { useState } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import type { DateKind } from './dates.ts';

interface Props {
  kind: DateKind;
  value: string | null;
  min: string | undefined;
  /** `done` if nothing more is to be chosen. */
  onPick: (value: string, done: boolean) => void;
}

dayjs.locale('zh-cn');
const dayFormat = 'YYYY-MM-DD';
const usualTime = '09:00';
const upTo = (count: number, step: number) =>
  Array.from({ length: count / step }, (_none, at) => String(at * step).padStart(2, '0'));
const turns: readonly (readonly [name: string, sign: string, step: number, unit: ManipulateType])[] = [
  ['上一年', '«', -1, 'year'],
  ['上一月', '‹', -1, 'month'],
  ['下一月', '›', 1, 'month'],
  ['下一年', '»', 1, 'year'],
];

/** A choice of the days of a month, with the time for a moment; or of the months of a year. */
export default function DateChoice({ kind, value, min, onPick }: Props) {
  const [day, time] = (value ?? '').split('T');
  const [shown, setShown] = useState(() => dayjs(day || dayOf(new Date())));
  const [months, timed] = [kind === 'month', kind === 'datetime-local'];
  const [hour, minute] = (time ?? usualTime).split(':') as [string, string];
  const part = (label: string, now: string, all: readonly string[], to: (next: string) => string) => (
    <Select
      aria-label={label}
      value={now}
      options={[...new Set([...all, now])].toSorted().map((one) => ({ value: one, label: `${one} ${label}` }))}
      onChange={(next) => onPick(`${day || shown.format(dayFormat)}T${to(next)}`, false)}
    />
  );
  const turning = (way: -1 | 1) =>
    turns
      .filter(([, , step, unit]) => step === way && (!months || unit === 'year'))
      .map(([name, sign, step, unit]) => (
        <Button key={name} type="text" size="small" aria-label={name} onClick={() => setShown(shown.add(step, unit))}>
          {sign}
        </Button>
      ));
  return (
    <div className="kit-date-choice">
      <Calendar
        fullscreen={false}
        mode={months ? 'year' : 'month'}
        value={shown}
        disabledDate={(one) => Boolean(min) && one.format(dayFormat) < min!.slice(0, dayFormat.length)}
        onSelect={(one, { source }) => {
          if (source === 'customize') return;
          setShown(one);
          if (months) onPick(one.format('YYYY-MM'), true);
          else onPick(`${one.format(dayFormat)}${timed ? `T${time ?? usualTime}` : ''}`, !timed);
        }}
        headerRender={() => (
          <div className="kit-row kit-date-head">
            {turning(-1)}
            <strong aria-live="polite">{shown.format(months ? 'YYYY 年' : 'YYYY 年 M 月')}</strong>
            {turning(1)}
          </div>
        )}
      />
      {timed && (
        <div className="kit-row">
          {part('时', hour, upTo(24, 1), (next) => `${next}:${minute}`)}
          {part('分', minute, upTo(60, 5), (next) => `${hour}:${next}`)}
        </div>
      )}
    </div>
  );
}
