import { Button, Segmented, Select, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import { patiently } from '../patiently.ts';
import { isArrow, nextCell, type Cell } from './calendar/cells.ts';
import { optionsOf } from './calendar/options.ts';
import { useSpecialDays } from './calendar/useSpecialDays.ts';
import { stepped, titleOf, viewNames, type CalendarView } from './calendar/range.ts';
import type { Calendar as LibraryCalendar } from './calendar/grid.ts';
import { useNarrow } from './narrow.ts';
import './kit.css';

export { rangeOf, type CalendarView } from './calendar/range.ts';

export interface CalendarEntry {
  id: string;
  title: string;
  /** `YYYY-MM-DD HH:mm:ss`; days alone where it takes whole days. */
  start: string;
  end: string;
  resource?: number;
  /** `striped`: not agreed to yet; `grey`: of others, or closed; `clash`: two at once; `cursor`: where the keys stand. */
  look?: 'solid' | 'striped' | 'grey' | 'clash' | 'cursor';
  mine?: boolean;
  /** May be dragged to another time, on a screen that is wide enough. */
  movable?: boolean;
}
export interface Picked {
  start: string;
  end: string;
  resource?: number;
}
export interface CalendarProps {
  /** What it shows, for those who do not see it. */
  label: string;
  views: readonly [CalendarView, ...CalendarView[]];
  view: CalendarView;
  /** A day that the view shows; `rangeOf` says which others it shows. */
  date: string;
  onChange(to: { view: CalendarView; date: string }): void;
  /** Absent until they have come: the grid is drawn once, with all that it holds, so that nothing in it moves. */
  entries: readonly CalendarEntry[] | undefined;
  resources?: readonly { id: number; title: string }[];
  /** From when to when days are shown. */
  hours?: readonly [from: string, to: string];
  onOpen?(id: string): void;
  /** Free times that arrow keys go to, and Enter chooses: `onPick` is told. */
  cells?: readonly Cell[];
  /** Free time was chosen by hand. Offer a button as well: neither a keyboard nor a phone draws on a grid. */
  onPick?(picked: Picked): void;
  /** An entry was dragged; unless this answers true, it goes back. */
  onMove?(id: string, to: Picked): Promise<boolean> | boolean;
  /** Beside the views: a button that adds. */
  extra?: ReactNode;
}

const changing = [
  'date',
  'view',
  'allDaySlot',
  'resources',
  'events',
  'dayHeaderFormat',
  'dayCellFormat',
  'slotMinTime',
  'slotMaxTime',
  'slotHeight',
  'slotWidth',
  'selectable',
] as const;

/** Entries by month, week, day, as a list or by resource. The grid is loaded when the first calendar is shown. */
export function Calendar(props: CalendarProps) {
  const { label, view: wanted, date, onChange, resources = [], extra } = props;
  const narrow = useNarrow();
  // Seven days beside each other are for a wide screen: on a phone a week is the list of it.
  const view = narrow && wanted === 'week' ? 'list' : wanted;
  const views = props.views.filter((one) => !(narrow && one === 'week' && props.views.includes('list')));
  const place = useRef<HTMLDivElement>(null);
  const grid = useRef<LibraryCalendar | null>(null);
  const now = useRef(props);
  now.current = props;
  const [come, setCome] = useState(props.entries !== undefined);
  if (!come && props.entries !== undefined) setCome(true);
  const [ready, setReady] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  // A phone shows one resource at a time.
  const one = narrow && view === 'rooms';
  const shown = one ? resources.filter(({ id }, at) => (chosen === null ? at === 0 : id === chosen)) : resources;
  const special = useSpecialDays(view, date);
  const { cells = [] } = props;
  const [cell, setCell] = useState<Cell | null>(null);
  // A cell that was taken meanwhile is none any more.
  const stands = cell && cells.some((one) => one.resource === cell.resource && one.start === cell.start) ? cell : null;
  const entries =
    stands && props.entries
      ? [...props.entries, { ...stands, id: 'kit-cursor', title: '空闲，按回车预约', look: 'cursor' as const }]
      : props.entries;
  const options = optionsOf({ ...props, entries, view, resources: shown }, narrow, special, () => now.current);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    if (!come) return;
    let closed = false;
    let stop = () => {};
    void patiently(() => import('./calendar/grid.ts')).then(({ makeCalendar }) => {
      if (closed || !place.current) return;
      const made = makeCalendar(place.current, latest.current);
      grid.current = made.calendar;
      stop = made.close;
      setReady(true);
    });
    return () => {
      closed = true;
      grid.current = null;
      stop();
    };
  }, [come]);

  const applied = useRef<Record<string, string>>({});
  useEffect(() => {
    let went = false;
    for (const name of changing) {
      const value = latest.current[name];
      const text = JSON.stringify(typeof value === 'function' ? [view, narrow, ...special.keys()] : value);
      if (grid.current && applied.current[name] !== undefined && applied.current[name] !== text) {
        grid.current.setOption(name, value as never);
        went ||= name === 'date';
      }
      applied.current[name] = text;
    }
    // Coming to a month after one without entries it lays them upon each other, until it is told of them once more.
    if (went) setTimeout(() => grid.current?.setOption('events', latest.current.events!));
  });

  useEffect(() => {
    if (!stands) return;
    // The grid draws what it was given a moment later.
    const timer = setTimeout(() =>
      place.current?.querySelector('.kit-cal-cursor')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    return () => clearTimeout(timer);
  }, [stands]);

  const go = (steps: 1 | -1) => onChange({ view, date: stepped(view, date, steps) });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const inGrid = event.target === event.currentTarget || place.current?.contains(event.target as Node);
    if (inGrid && isArrow(event.key) && cells.length > 0 && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const ids = shown.map(({ id }) => id);
      const reached = cells.filter((one) => ids.includes(one.resource));
      // Not the entry that had the focus: Enter is for the cell from now on.
      event.currentTarget.focus();
      return setCell(nextCell(reached, stands, event.key, view, ids) ?? null);
    }
    const onEntry = (event.target as Element).closest('.ec-event') !== null;
    if (event.key === 'Enter' && inGrid && !onEntry && stands) {
      event.preventDefault();
      return props.onPick?.(stands);
    }
    const steps = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : null;
    if (steps === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // The entry that had the focus may be gone with its day.
    event.currentTarget.focus();
    go(steps);
  };
  return (
    <section
      className="kit-calendar kit-stack"
      data-phone={narrow}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="kit-row">
        <Button aria-label="上一页" title="上一页（PageUp）" onClick={() => go(-1)}>
          ‹
        </Button>
        <Button onClick={() => onChange({ view, date: dayOf(new Date()) })}>今天</Button>
        <Button aria-label="下一页" title="下一页（PageDown）" onClick={() => go(1)}>
          ›
        </Button>
        <strong className="kit-grow" aria-live="polite">
          {titleOf(view, date)}
        </strong>
        {views.length > 1 && (
          <Segmented
            aria-label="视图"
            value={views.includes(view) ? view : wanted}
            options={views.map((value) => ({ value, label: viewNames[value] }))}
            onChange={(value) => onChange({ view: value, date })}
          />
        )}
        {extra}
      </div>
      {props.cells && !narrow && (
        <span className="kit-calendar-day" aria-live="polite">
          {stands
            ? `${resources.find(({ id }) => id === stands.resource)?.title ?? ''} ${stands.start.slice(11, 16)}–${stands.end.slice(11, 16)} 空闲，按回车预约`
            : '用方向键在空闲时段之间移动'}
        </span>
      )}
      {one && (
        <Select
          aria-label="资源"
          value={shown[0]?.id}
          options={resources.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={setChosen}
        />
      )}
      {/* As tall before the grid is here: what stands below never moves. */}
      <div style={{ position: 'relative', height: `min(${narrow ? 70 : 76}vh, 760px)` }}>
        <div ref={place} style={{ height: '100%' }} />
        {!ready && <Skeleton active paragraph={{ rows: 10 }} style={{ position: 'absolute', inset: 0 }} />}
      </div>
    </section>
  );
}
