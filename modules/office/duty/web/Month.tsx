import { Button, Tag } from 'antd';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { dayOf, weekdayOf } from '#kernel/contract/moment.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import type { Shift } from '../contract.ts';
import { dutyDay, dutyPost, shiftState, spanText } from '../contract/codes.ts';
import { Away, linkTo } from './parts.tsx';
import { useMoving, type Moving } from './moving.tsx';
import './duty.css';

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];
type Day = { day: string; kind: number; holiday: string; shifts: Shift[] };

/** Weeks as rows, on a phone a card for each day. Those who manage the roster can move people in it. */
export function Month({ days }: { days: readonly Day[] }) {
  const before = weekdayOf(days[0]!.day) - 1;
  const today = dayOf(new Date());
  const moving = useMoving();
  const month = days[0]!.day;
  const list = useRef<HTMLOListElement>(null);
  // Once for each month: a page that is shown again returns to where it was scrolled.
  const scrolled = useRef('');
  useLayoutEffect(() => {
    if (scrolled.current === month) return;
    scrolled.current = month;
    // A phone shows no day without shifts.
    const shown = [...list.current!.querySelectorAll<HTMLElement>('[data-day]')].find(
      (one) => one.dataset['day']! >= today && one.offsetHeight > 0,
    );
    if (!shown || month > today) return;
    const { top, bottom } = shown.getBoundingClientRect();
    // The page ends above the bar of a phone, or is longer than the window if the window itself scrolls.
    const page = shown.closest('main')!.getBoundingClientRect();
    if (top < Math.max(0, page.top) || bottom > Math.min(window.innerHeight, page.bottom))
      shown.scrollIntoView({ block: 'center' });
  }, [month, today]);
  return (
    <>
      {moving.hint}
      <ol className="duty-month kit-panel" ref={list}>
        {weekdays.map((one) => (
          <li key={one} className="duty-head" aria-hidden>
            星期{one}
          </li>
        ))}
        {days.map(({ day, kind, holiday, shifts }, at) => (
          <li
            key={day}
            style={at === 0 ? { gridColumnStart: before + 1 } : undefined}
            data-rest={kind > dutyDay.work || undefined}
            data-day={day}
            data-today={day === today || undefined}
            data-none={shifts.length === 0 || undefined}
          >
            <span className="kit-figures">
              {Number(day.slice(8))} <span className="duty-weekday">星期{weekdays[(before + at) % 7]}</span>
            </span>
            {kind === dutyDay.holiday && <Tag color="error">{holiday || dutyDay.label(kind)}</Tag>}
            {shifts.map((shift) => (
              <Cell key={shift.id} shift={shift} moving={moving} />
            ))}
          </li>
        ))}
      </ol>
      {moving.drawer}
    </>
  );
}

/** A shift within its day. If its people may be moved, each is draggable; otherwise the whole cell links to the shift. */
function Cell({ shift, moving }: { shift: Shift; moving: Moving }) {
  const look = {
    className: 'duty-shift',
    'data-gap': shift.gap > 0 || undefined,
    'data-mine': shift.mine || undefined,
    title: spanText(shift, shortDate),
  };
  const name = `${shift.name}${shift.state === shiftState.draft ? '（未发布）' : ''}`;
  const gap = shift.gap > 0 && <Tag color="error">缺 {shift.gap} 人</Tag>;
  if (!shift.movable)
    return (
      <Link to={linkTo(shift)} {...look}>
        <span className="kit-muted">{name}</span>
        {shift.people.map((one) => (
          <span key={one.id} className={one.works ? undefined : 'kit-struck'}>
            <small className="kit-muted">{dutyPost.label(one.post)}</small> {one.alias}
            <Away of={one} />
          </span>
        ))}
        {gap}
      </Link>
    );
  return (
    <div {...look} {...moving.over(shift)}>
      <Link to={linkTo(shift)} draggable={false}>
        {name}
      </Link>
      {shift.people.map((one) => (
        <button
          key={one.id}
          type="button"
          className="duty-chip"
          aria-label={`${shift.day} ${dutyPost.label(one.post)} ${one.alias}`}
          {...moving.chip(shift, one)}
        >
          <small className="kit-muted">{dutyPost.label(one.post)}</small>{' '}
          <span className={one.works ? undefined : 'kit-struck'}>{one.alias}</span>
          <Away of={one} />
        </button>
      ))}
      {gap}
      {moving.takes(shift) && (
        <Button size="small" type="dashed" {...moving.place(shift)}>
          移到这里
        </Button>
      )}
    </div>
  );
}
