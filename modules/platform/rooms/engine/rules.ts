import { dayAfter, dayOf, momentOf, momentText, weekdayOf } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { OpenHours } from '../contract/shapes.ts';
import { roomState } from '../contract/shapes.ts';

/** The part of the calendar that rooms need. */
export interface RoomCalendar {
  works(day: string): boolean;
  /** The name of a holiday, which may be empty; null on every other day. */
  holiday(day: string): string | null;
  /** Usual working days of the week, Monday 1. */
  usual: ReadonlySet<number>;
}
/** A room's rules: its own and its office's. */
export interface RoomRules {
  name: string;
  status: number;
  office_status: number;
  open_hours: OpenHours;
  calendar: RoomCalendar;
  min_ahead_min: number;
  max_ahead_days: number;
  step_min: number;
  min_minutes: number;
  max_minutes: number;
  /** Names of the departments that may use it, and whether the person belongs to one; null if everybody may. */
  kept_to: { names: string; mine: boolean } | null;
}
/** Both `YYYY-MM-DD HH:mm:ss`. */
export interface Period {
  start_time: string;
  end_time: string;
}

const minute = 60_000;
const dayMinutes = 1440;
const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'];

/** Days in office notation: `周一至周五`, `周一、周三`, `每天`. */
export function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  const [first, last] = [sorted[0] ?? 1, sorted.at(-1) ?? 7];
  if (sorted.length === weekdays.length) return '每天';
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${weekdays[first - 1]}至${weekdays[last - 1]}`;
  return sorted.map((day) => weekdays[day - 1]).join('、');
}
export const hoursText = ({ days, from, to, holidays }: OpenHours): string =>
  `${daysText(days)} ${from}–${to}，节假日${holidays ? '照常开放' : '不开放'}`;

/** Minutes in words: `45 分钟`, `2 小时`, `1 天`. */
export function lengthText(minutes: number): string {
  if (minutes % dayMinutes === 0 && minutes > 0) return `${minutes / dayMinutes} 天`;
  return minutes % 60 === 0 && minutes > 0 ? `${minutes / 60} 小时` : `${minutes} 分钟`;
}

const clockOf = (text: string) => text.slice(11, 16);

/**
 * Why rooms are closed on a day; null if they are open. A holiday does not count as its day of the week. A make-up day is a working day, open if all
 * working days are.
 */
export function closedOn({ days, holidays }: OpenHours, day: string, calendar: RoomCalendar): string | null {
  const holiday = holidays ? null : calendar.holiday(day);
  if (holiday !== null) return `${holiday || '节假日'}不开放`;
  const weekday = weekdayOf(day);
  if (days.includes(weekday)) return null;
  const exchanged = calendar.works(day) && !calendar.usual.has(weekday);
  if (exchanged && [...calendar.usual].every((one) => days.includes(one))) return null;
  return `${weekdays[weekday - 1]}不开放`;
}

/** The days that a period touches: one ending at midnight does not touch the next day. */
function* daysOf({ start_time, end_time }: Period): Generator<string> {
  const last = end_time.slice(0, 10);
  for (let day = start_time.slice(0, 10); day <= last; day = dayAfter(day, 1))
    if (day < last || clockOf(end_time) !== '00:00') yield day;
}

/** True if each day of a period lies in the open hours: across midnight only if both days are open to their ends. */
export function isOpen(hours: OpenHours, period: Period, calendar: RoomCalendar): boolean {
  const { from, to } = hours;
  const { start_time, end_time } = period;
  for (const day of daysOf(period)) {
    const begins = day === start_time.slice(0, 10) ? clockOf(start_time) : '00:00';
    const ends = day === end_time.slice(0, 10) ? clockOf(end_time) : '24:00';
    if (begins < from || ends > to || closedOn(hours, day, calendar) !== null) return false;
  }
  return true;
}

/** Why a room cannot be used in a period, each with an allowed value; empty if it can. Does not check whether it is free. */
export function breaches(rules: RoomRules, period: Period, now: Date): string[] {
  const { name, open_hours: hours, step_min: step } = rules;
  if (rules.status === roomState.off || rules.office_status === onOff.off) return [`${name}已停用，请选择其他会议室`];
  if (rules.status === roomState.mended) return [`${name}正在维护，请选择其他会议室`];
  const [start, end] = [momentOf(period.start_time).getTime(), momentOf(period.end_time).getTime()];
  if (end <= start)
    return [`结束时间 ${period.end_time.slice(0, 16)} 应晚于开始时间 ${period.start_time.slice(0, 16)}`];
  const length = (end - start) / minute;
  const earliest = new Date(now.getTime() + rules.min_ahead_min * minute);
  const latest = dayOf(new Date(now.getTime() + rules.max_ahead_days * dayMinutes * minute));
  const said: string[] = [];
  if (rules.kept_to && !rules.kept_to.mine) said.push(`${name}仅供${rules.kept_to.names}使用，请选择其他会议室`);
  if (start < now.getTime()) said.push(`开始时间 ${period.start_time.slice(0, 16)} 已过，请选择之后的时间`);
  else if (start < earliest.getTime())
    said.push(
      `${name}须至少提前 ${lengthText(rules.min_ahead_min)}申请，现在最早可约 ${momentText(earliest).slice(0, 16)}`,
    );
  if (period.start_time.slice(0, 10) > latest)
    said.push(`${name}最多提前 ${rules.max_ahead_days} 天申请，今天最晚可约 ${latest}`);
  if ([period.start_time, period.end_time].some((at) => !fits(at, step)))
    said.push(`${name}的起止时间须为 ${step} 分钟的整数倍，如 09:00、09:${String(step % 60).padStart(2, '0')}`);
  if (length < rules.min_minutes)
    said.push(`${name}每次至少使用 ${lengthText(rules.min_minutes)}，所选为 ${lengthText(length)}`);
  if (length > rules.max_minutes)
    said.push(`${name}每次最多使用 ${lengthText(rules.max_minutes)}，所选为 ${lengthText(length)}`);
  // An overlong period is refused for that alone; its days may span a century.
  if (length <= rules.max_minutes && !isOpen(hours, period, rules.calendar))
    said.push(`${name}的开放时间为${hoursText(hours)}，请改到开放时间内${closedText(rules, period)}`);
  return said;
}
/** The closed day of a period, and the reason, if not evident from the hours. */
function closedText({ open_hours: hours, calendar }: RoomRules, period: Period): string {
  for (const day of daysOf(period)) {
    const why = calendar.holiday(day) === null ? null : closedOn(hours, day, calendar);
    if (why !== null) return `（${day} ${why}）`;
  }
  return '';
}
const fits = (at: string, step: number) =>
  at.slice(17, 19) === '00' && (Number(at.slice(11, 13)) * 60 + Number(at.slice(14, 16))) % step === 0;
