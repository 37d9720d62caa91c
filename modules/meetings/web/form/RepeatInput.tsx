import { InputNumber, Select } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { frequencies, nths, type Repeat } from '#modules/rooms/contract/repeat.ts';

const days = ['一', '二', '三', '四', '五', '六', '日'].map((label, at) => ({ value: at + 1, label: `周${label}` }));
const first: Repeat = { freq: 'WEEKLY', interval: 1, days: [], count: 8 };

/** How a meeting comes again: every so often, on which days, how many times or until when. */
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
              : change({ freq, days: freq === 'DAILY' ? [] : (repeat?.days ?? []), nth: undefined })
          }
          options={[
            { value: '', label: '不重复' },
            ...Object.entries(frequencies).map(([value, label]) => ({ value, label })),
          ]}
        />
        {repeat && (
          <InputNumber
            aria-label="间隔"
            prefix="每"
            suffix={{ DAILY: '天', WEEKLY: '周', MONTHLY: '个月' }[repeat.freq]}
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
            value={repeat.nth}
            onChange={(nth) =>
              change({ nth, days: nth === undefined ? [] : repeat.days.length > 0 ? repeat.days : [1] })
            }
            options={Object.entries(nths).map(([value, label]) => ({ value: Number(value), label }))}
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
            <InputNumber
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
        </div>
      )}
    </div>
  );
}
