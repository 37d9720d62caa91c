import { Checkbox, Select } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { frequencies, nths, type Repeat } from '#modules/platform/rooms/contract/repeat.ts';

const days = ['一', '二', '三', '四', '五', '六', '日'].map((label, at) => ({ value: at + 1, label: `周${label}` }));
const first: Repeat = {
  freq: 'WEEKLY',
  interval: 1,
  days: [],
  count: 8,
  last_day: false,
  skip_holidays: false,
  left_out: [],
};

/** The value for the last day, among the choices of a weekday's position in a month. */
const lastDay = 0;

/** The rule of repetition: interval, days, and number of dates or end. */
export function RepeatInput({ control }: { control: FieldControl }) {
  const repeat = control.value as Repeat | null | undefined;
  const change = (part: Partial<Repeat>) => control.onChange?.({ ...(repeat ?? first), ...part });
  return (
    <div className="kit-stack" id={control.id}>
      <div className="kit-row meet-line">
        <Select
          aria-label="重复"
          value={repeat?.freq ?? ''}
          style={{ minWidth: 110 }}
          onChange={(freq: Repeat['freq'] | '') =>
            freq === ''
              ? control.onChange?.(null)
              : change({ freq, days: freq === 'WEEKLY' ? (repeat?.days ?? []) : [], nth: undefined, last_day: false })
          }
          options={[
            { value: '', label: '不重复' },
            ...Object.entries(frequencies).map(([value, label]) => ({ value, label })),
          ]}
        />
        {repeat && (
          <NumberInput
            aria-label="间隔"
            prefix="每"
            suffix={{ DAILY: '天', WEEKLY: '周', MONTHLY: '个月', YEARLY: '年' }[repeat.freq]}
            min={1}
            max={12}
            value={repeat.interval}
            onChange={(interval) => change({ interval: interval ?? 1 })}
          />
        )}
        {repeat?.freq === 'MONTHLY' && (
          <Select
            aria-label="第几个"
            allowClear
            placeholder="同一日期"
            style={{ minWidth: 110 }}
            value={repeat.last_day ? lastDay : repeat.nth}
            onChange={(chosen) => {
              const nth = chosen === lastDay ? undefined : chosen;
              const days = nth === undefined ? [] : repeat.days.length > 0 ? repeat.days : [1];
              change({ nth, last_day: chosen === lastDay, days });
            }}
            options={[
              ...Object.entries(nths).map(([value, label]) => ({ value: Number(value), label })),
              { value: lastDay, label: '最后一天' },
            ]}
          />
        )}
        {repeat && (repeat.freq === 'WEEKLY' || repeat.nth !== undefined) && (
          <Select
            aria-label="星期"
            mode="multiple"
            placeholder="与第一次同一天"
            style={{ minWidth: 180 }}
            value={repeat.days}
            onChange={(chosen) => change({ days: chosen.toSorted((a, b) => a - b) })}
            options={days}
          />
        )}
      </div>
      {repeat && (
        <div className="kit-row meet-line">
          <Select
            aria-label="结束方式"
            style={{ minWidth: 110 }}
            value={repeat.until === undefined ? 'count' : 'until'}
            onChange={(how) =>
              how === 'count' ? change({ count: 8, until: undefined }) : change({ count: undefined, until: '' })
            }
            options={[
              { value: 'count', label: '共几次' },
              { value: 'until', label: '到哪天' },
            ]}
          />
          {repeat.until === undefined ? (
            <NumberInput
              aria-label="次数"
              suffix="次"
              min={1}
              max={100}
              value={repeat.count ?? null}
              onChange={(count) => change({ count: count ?? 1 })}
            />
          ) : (
            <DateInput
              kind="date"
              aria-label="截止日期"
              style={{ maxWidth: 180 }}
              value={repeat.until}
              onChange={(until) => change({ until })}
            />
          )}
          <Checkbox
            checked={repeat.skip_holidays}
            onChange={(event) => change({ skip_holidays: event.target.checked })}
          >
            跳过节假日
          </Checkbox>
        </div>
      )}
      {repeat && (
        <div className="kit-row meet-line">
          <Select
            aria-label="不开的日期"
            mode="multiple"
            open={false}
            suffixIcon={null}
            placeholder="不开的日期，在右边逐个选择"
            style={{ minWidth: 260 }}
            value={repeat.left_out}
            onChange={(left_out) => change({ left_out })}
            options={repeat.left_out.map((day) => ({ value: day, label: day }))}
          />
          <DateInput
            // The key changes with the list, which empties the input after each added or removed day.
            key={repeat.left_out.join()}
            kind="date"
            aria-label="添加不开的日期"
            style={{ maxWidth: 180 }}
            value=""
            onChange={(day) => {
              const isNew = /^\d{4}-\d{2}-\d{2}$/.test(day) && !repeat.left_out.includes(day);
              if (isNew) change({ left_out: [...repeat.left_out, day].toSorted() });
            }}
          />
        </div>
      )}
    </div>
  );
}
