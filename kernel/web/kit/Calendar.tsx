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
  /** `YYYY-MM-DD HH:mm:ss`; only a date for whole days. */
  start: string;
  end: string;
  resource?: number;
  /** `striped`: not yet approved; `grey`: of others, or closed; `clash`: overlapping; `cursor`: the cell under the keyboard. */
  look?: 'solid' | 'striped' | 'grey' | 'clash' | 'cursor';
  mine?: boolean;
  /** The entry may be dragged to another time, on a wide screen. */
  movable?: boolean;
}
export interface Picked {
  start: string;
  end: string;
  resource?: number;
}
export interface CalendarProps {
  /** The accessible name. */
  label: string;
  views: readonly [CalendarView, ...CalendarView[]];
  view: CalendarView;
  /** A day within the view; `rangeOf` returns the others. */
  date: string;
  onChange(to: { view: CalendarView; date: string }): void;
  /** Absent until they are loaded: the grid is drawn once with all its entries, so that nothing moves. */
  entries: readonly CalendarEntry[] | undefined;
  resources?: readonly { id: number; title: string }[];
  /** The hours of a day that are shown. */
  hours?: readonly [from: string, to: string];
  onOpen?(id: string): void;
  /** Free times that the arrow keys move to and Enter chooses, which calls `onPick`. */
  cells?: readonly Cell[];
  /** A free time was chosen with the mouse. Offer a button as well: neither a keyboard nor a phone can draw on a grid. */
  onPick?(picked: Picked): void;
  /** An entry was dragged; it goes back unless this returns true. */
  onMove?(id: string, to: Picked): Promise<boolean> | boolean;
  /** Shown beside the views: a button that adds. */
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

/** Entries by month, week or day, as a list or by resource. The grid is loaded when the first calendar is shown. */
export function Calendar(props: CalendarProps) {
  const { label, view: wanted, date, onChange, resources = [], extra } = props;
  const narrow = useNarrow();
  // Seven days side by side need a wide screen: a phone shows the week as a list.
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
  // The cell may have been taken meanwhile.
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
    const renew = <K extends (typeof changing)[number]>(name: K) => grid.current?.setOption(name, latest.current[name]);
    for (const name of changing) {
      const value = latest.current[name];
      const text = JSON.stringify(typeof value === 'function' ? [view, narrow, ...special.keys()] : value);
      if (grid.current && applied.current[name] !== undefined && applied.current[name] !== text) {
        renew(name);
        went ||= name === 'date';
      }
      applied.current[name] = text;
    }
    // Changing from a month without entries to another, the grid stacks the entries until it receives them once more.
    if (went) setTimeout(() => grid.current?.setOption('events', latest.current.events!));
  });

  useEffect(() => {
    if (!stands) return;
    // The grid draws its options a moment later.
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
      // The focus leaves the entry, because Enter now belongs to the cell.
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
    // The focused entry may disappear together with its day.
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
      {/* The same height before the grid is loaded, so that nothing below moves. */}
      <div style={{ position: 'relative', height: `min(${narrow ? 70 : 76}vh, 760px)` }}>
        <div ref={place} style={{ height: '100%' }} />
        {!ready && <Skeleton active paragraph={{ rows: 10 }} style={{ position: 'absolute', inset: 0 }} />}
      </div>
    </section>
  );
}
