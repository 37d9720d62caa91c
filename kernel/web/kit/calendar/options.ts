import type { Calendar } from '@event-calendar/core';
import { dayAfter, houseOffset, weekdayOf } from '#kernel/contract/moment.ts';
import type { CalendarProps } from '../Calendar.tsx';
import { lunarOf } from './lunar.ts';
import { weekdays, type CalendarView } from './range.ts';
import type { SpecialDay } from './special-days.ts';

const libraryViews: Readonly<Record<CalendarView, string>> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  list: 'listWeek',
  rooms: 'resourceTimeGridDay',
  line: 'resourceTimelineDay',
};
const two = (value: number) => String(value).padStart(2, '0');
/** The library returns times as local dates. */
const textOf = (at: Date) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:00`;
const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false };

/** The heading of a column of days. */
function headerOf(view: CalendarView, narrow: boolean): Calendar.Options['dayHeaderFormat'] {
  if (view === 'month') return { weekday: narrow ? 'narrow' : 'short' };
  if (narrow) return (day) => `${day.getDate()} ${weekdays[weekdayOf(textOf(day)) - 1]}`;
  return { weekday: 'short', month: 'numeric', day: 'numeric' };
}

/** The options of the library. `handlers` returns the current handlers when something happens. */
export function optionsOf(
  { view, date, entries = [], resources = [], hours = ['07:00', '22:00'] }: CalendarProps,
  narrow: boolean,
  special: ReadonlyMap<string, SpecialDay>,
  handlers: () => CalendarProps,
): Calendar.Options {
  const { onPick, onMove } = handlers();
  // Dragging a finger means scrolling: on a phone times are changed in a form.
  const byHand = !narrow;
  const moved = ({
    event,
    oldEvent,
    revert,
  }: Record<'event' | 'oldEvent', Calendar.Event> & { revert: () => void }) => {
    // An entry with hours cannot be dragged onto whole days, or the other way round.
    if (event.allDay !== oldEvent.allDay) return revert();
    const [resource] = event.resourceIds;
    const wanted = {
      start: textOf(event.start),
      end: textOf(event.end),
      resource: resource ? Number(resource) : undefined,
    };
    void Promise.resolve(handlers().onMove?.(String(event.id), wanted)).then((stands) => stands || revert());
  };
  return {
    view: libraryViews[view],
    date,
    locale: 'zh-CN',
    // The library knows no names of zones: with one it shows the machine's time.
    timeZone: houseOffset,
    firstDay: 1,
    headerToolbar: { start: '', center: '', end: '' },
    height: '100%',
    slotMinTime: hours[0],
    slotMaxTime: hours[1],
    slotHeight: narrow ? 28 : 24,
    slotLabelFormat: time,
    eventTimeFormat: time,
    dayHeaderFormat: headerOf(view, narrow),
    dayCellFormat: (day) => ({ domNodes: cellOf(day, narrow, special) }),
    slotEventOverlap: false,
    slotWidth: narrow ? 32 : 56,
    // Rooms are booked by the hour, so the row for whole days is shown only if an entry needs it.
    allDaySlot: view !== 'rooms' || entries.some(({ start }) => start.length === 10),
    allDayContent: '全天',
    noEventsContent: '这段时间没有安排',
    moreLinkContent: ({ num }) => `另有 ${num} 项`,
    buttonText: (words) => ({ ...words, close: '关闭' }),
    dayMaxEvents: true,
    nowIndicator: true,
    resources: resources.map(({ id, title }) => ({ id, title })),
    events: entries.map(({ id, title, start, end, resource, look = 'solid', mine, movable }) => ({
      id,
      title,
      start: start.replace(' ', 'T'),
      // The library ends whole days on the first day after.
      end: start.length === 10 ? dayAfter(end, 1) : end.replace(' ', 'T'),
      allDay: start.length === 10,
      ...(resource !== undefined && { resourceIds: [resource] }),
      editable: byHand && movable === true && onMove !== undefined,
      classNames: [`kit-cal-${look}`, ...(mine ? ['kit-cal-mine'] : [])],
    })),
    eventContent: ({ event, timeText }) => ({ domNodes: contentOf(event, event.allDay ? '' : timeText) }),
    eventClick: ({ event }) => handlers().onOpen?.(String(event.id)),
    selectable: byHand && onPick !== undefined,
    select: ({ start, end, resource }) =>
      handlers().onPick?.({ start: textOf(start), end: textOf(end), resource: resource && Number(resource.id) }),
    eventDrop: moved,
    eventResize: moved,
  };
}

const piece = (name: string, text: string) => {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
};

/** A day of a month: its number, whether people work on it if that differs from its weekday, and its lunar name. */
function cellOf(date: Date, narrow: boolean, special: ReadonlyMap<string, SpecialDay>): Node[] {
  const day = textOf(date).slice(0, 10);
  const known = special.get(day);
  const mark = known && piece(known.works ? 'kit-cal-works' : 'kit-cal-rests', known.works ? '班' : '休');
  if (mark) mark.title = known.name;
  return [
    piece('kit-figures', String(date.getDate())),
    ...(mark ? [mark] : []),
    ...(narrow ? [] : [piece('kit-cal-lunar', lunarOf(day))]),
  ];
}

/** The content of an entry. Its day is for people who do not see its position. */
function contentOf({ start, title }: Calendar.Event, timeText: string): Node[] {
  const part = (name: string, text: string) => {
    const element = document.createElement('div');
    element.className = name;
    element.textContent = text;
    return element;
  };
  const day = part('kit-calendar-day', `${start.getMonth() + 1}月${start.getDate()}日`);
  return [day, ...(timeText ? [part('ec-event-time', timeText)] : []), part('ec-event-title', String(title))];
}
