import { Button, Checkbox, Drawer, Segmented } from 'antd';
import { useState } from 'react';
import type { QueryOf } from '#kernel/contract/call.ts';
import { dayAfter, dayOf, mondayOf } from '#kernel/contract/moment.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { leaders } from '../contract.ts';
import { runStatus, scheduleType, timeText } from '../contract/codes.ts';
import { mostCopies, mostWeeks, type ScheduleRow } from '../contract/schedules.ts';

type Category = NonNullable<QueryOf<typeof leaders.list>['category']>;
const whose: { value: Category; label: string }[] = [
  { value: 'side', label: '我的领导' },
  { value: 'owner', label: '我申报的' },
  { value: 'all', label: '全部' },
];
const again = (row: ScheduleRow) =>
  row.act_state === actState.finished && row.run_status !== runStatus.cancelled && row.source_module === '';

/**
 * 复制上周: writes entries of the week before anew on their weekdays, in one week or several, which makes a schedule repeat. Entries that fail
 * stay listed with the reason.
 */
export function CopyDrawer({ onClose }: { onClose: () => void }) {
  const narrow = useNarrow();
  const [category, setCategory] = useState<Category>('side');
  const [week, setWeek] = useState(() => dayAfter(mondayOf(dayOf(new Date())), 7));
  const [weeks, setWeeks] = useState(1);
  const { held, hold } = useHeld();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const from = dayAfter(week, -7);
  const { data } = useCall(leaders.list, {
    query: {
      category,
      type_id: scheduleType.usual,
      start: from,
      end: dayAfter(from, 6),
      order_by: 'start_time',
      desc: false,
      per_page: 100,
    },
  });
  const rows = (data?.value ?? []).filter((row) => again(row) && row.start_time >= from);
  const chosen = rows.filter((row) => !left.has(row.id));
  const sending = useSend(leaders.copy);
  const refusals = Map.groupBy(sending.data?.left ?? [], (one) => one.id);
  const refusedOf = (id: number) =>
    refusals
      .get(id)
      ?.map((one) => ((sending.variables?.body.weeks ?? 1) > 1 ? `${shortDate(one.week)} 那一周：${one.msg}` : one.msg))
      .join('；');
  const go = (weeks: number) => {
    setWeek(dayAfter(week, weeks * 7));
    setLeft(new Set());
    sending.reset();
  };
  const send = () =>
    sending.mutate(
      { body: { ids: chosen.map((row) => row.id), date: week, weeks } },
      {
        onSuccess: (reply) => {
          const failed = new Set(reply.left.map((one) => one.id));
          // An entry that went into some of the weeks is deselected, so that it is not copied there twice.
          setLeft(new Set(rows.flatMap((row) => (failed.has(row.id) && weeks === 1 ? [] : row.id))));
          if (failed.size === 0) onClose();
        },
      },
    );
  return (
    <Drawer
      title="复制上周"
      open
      onClose={onClose}
      size={narrow ? '100%' : 640}
      footer={
        <Button
          type="primary"
          disabled={chosen.length === 0 || held.length > 0}
          loading={sending.isPending}
          onClick={send}
        >
          复制 {chosen.length} 项到 {shortDate(week)} {weeks > 1 ? `起连续 ${weeks} 周` : '那一周'}
        </Button>
      }
    >
      <div className="kit-stack">
        <div className="kit-row" style={{ flexWrap: 'wrap' }}>
          <Segmented aria-label="谁的日程" options={whose} value={category} onChange={setCategory} />
          <Button aria-label="上一周" onClick={() => go(-1)}>
            ‹
          </Button>
          <span className="kit-figures">
            {shortDate(from)} – {shortDate(dayAfter(from, 6))}
          </span>
          <Button aria-label="下一周" onClick={() => go(1)}>
            ›
          </Button>
          <HoldContext value={hold}>
            <label className="kit-row">
              连续周数
              <NumberInput
                aria-label="连续周数"
                min={1}
                max={Math.max(1, Math.min(mostWeeks, Math.floor(mostCopies / Math.max(1, chosen.length))))}
                precision={0}
                value={weeks}
                onChange={(value) => setWeeks(value ?? 1)}
              />
            </label>
          </HoldContext>
        </div>
        {data && rows.length === 0 && <EmptyState why="这一周没有可以复制的日程，外出报备和随来源的日程不在其中" />}
        <ul className="kit-lines">
          {rows.map((row) => (
            <li key={row.id}>
              <Checkbox
                checked={!left.has(row.id)}
                onChange={({ target }) =>
                  setLeft(new Set(target.checked ? [...left].filter((id) => id !== row.id) : [...left, row.id]))
                }
              >
                <span className="kit-figures">{timeText(row, shortDate)}</span> {row.title}
                <span className="kit-muted"> {row.leaders_info.map((one) => one.alias).join('、')}</span>
                {refusals.has(row.id) && <span className="leader-refused">{refusedOf(row.id)}</span>}
              </Checkbox>
            </li>
          ))}
        </ul>
      </div>
    </Drawer>
  );
}
