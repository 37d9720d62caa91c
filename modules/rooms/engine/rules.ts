import { dayOf, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { OpenHours } from '../contract/shapes.ts';

/** What holds for a room: its own rules and those of its office. */
export interface RoomRules {
  name: string;
  status: number;
  office_status: number;
  open_hours: OpenHours;
  min_ahead_min: number;
  max_ahead_days: number;
  step_min: number;
  min_minutes: number;
  max_minutes: number;
  /** Names of the departments it is kept to, and whether the person belongs to one; null where it is for all. */
  kept_to: { names: string; mine: boolean } | null;
}
/** `YYYY-MM-DD HH:mm:ss`, both. */
export interface Period {
  start_time: string;
  end_time: string;
}

const minute = 60_000;
const dayMinutes = 1440;
const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'];

/** Days as an office writes them: `周一至周五`, `周一、周三`, `每天`. */
export function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  const [first, last] = [sorted[0] ?? 1, sorted.at(-1) ?? 7];
  if (sorted.length === weekdays.length) return '每天';
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${weekdays[first - 1]}至${weekdays[last - 1]}`;
  return sorted.map((day) => weekdays[day - 1]).join('、');
}
export const hoursText = ({ days, from, to }: OpenHours): string => `${daysText(days)} ${from}–${to}`;

/** Minutes as people say them: `45 分钟`, `2 小时`, `1 天`. */
export function lengthText(minutes: number): string {
  if (minutes % dayMinutes === 0 && minutes > 0) return `${minutes / dayMinutes} 天`;
  return minutes % 60 === 0 && minutes > 0 ? `${minutes / 60} 小时` : `${minutes} 分钟`;
}

/** Day of the week of a text's day, Monday 1. */
const weekdayOf = (text: string) => ((new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
const clockOf = (text: string) => text.slice(11, 16);
const nextDay = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayMinutes * minute).toISOString().slice(0, 10);

/** Days that a period touches; of a long one the first eight, among which is every day of the week, and the last. */
function daysOf({ start_time, end_time }: Period): string[] {
  const last = end_time.slice(0, 10);
  const touched = [start_time.slice(0, 10)];
  while (touched.length < 8 && touched.at(-1)! < last) touched.push(nextDay(touched.at(-1)!));
  return touched.at(-1)! < last ? [...touched, last] : touched;
}

/** Whether each day of a period lies in the open hours: across midnight only where both days are open to their ends. */
export function isOpen({ days, from, to }: OpenHours, { start_time, end_time }: Period): boolean {
  const lastDay = end_time.slice(0, 10);
  for (const day of daysOf({ start_time, end_time })) {
    const begins = day === start_time.slice(0, 10) ? clockOf(start_time) : '00:00';
    const ends = day === lastDay ? clockOf(end_time) : '24:00';
    // What ends at midnight takes nothing of the day that begins there.
    if (ends === '00:00') continue;
    if (!days.includes(weekdayOf(day)) || begins < from || ends > to) return false;
  }
  return true;
}

/** Why a room is not to be had then, each with what would do; none where it is. Whether it is free is not asked here. */
export function breaches(rules: RoomRules, period: Period, now: Date): string[] {
  const { name, open_hours: hours, step_min: step } = rules;
  if (rules.status === 0 || rules.office_status === 0) return [`${name}已停用，请选择其他会议室`];
  if (rules.status === 2) return [`${name}正在维护，请选择其他会议室`];
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
  if (!isOpen(hours, period)) said.push(`${name}的开放时间为${hoursText(hours)}，请改到开放时间内`);
  return said;
}
const fits = (at: string, step: number) =>
  at.slice(17, 19) === '00' && (Number(at.slice(11, 13)) * 60 + Number(at.slice(14, 16))) % step === 0;
