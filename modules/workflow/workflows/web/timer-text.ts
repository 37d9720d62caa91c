import type { Transition } from '../engine/definition.ts';

type Timed = Pick<Transition, 'timer' | 'timer_working_time'>;

/** Seconds of each unit of time. */
export const timeUnits = { day: 86_400, hour: 3600, minute: 60 } as const;
export type TimeUnit = keyof typeof timeUnits;

/** The largest unit in which a time is a whole number; days only for clock time, because a working day has no fixed length. */
export function unitOf({ timer, timer_working_time }: Timed): TimeUnit {
  if (timer === 0) return 'hour';
  if (!timer_working_time && timer % timeUnits.day === 0) return 'day';
  return timer % timeUnits.hour === 0 ? 'hour' : 'minute';
}

/** The length of a timer: `2 天`, `4 个工作小时`, `90 分钟`; empty if there is none. */
export function timeText(timed: Timed): string {
  if (timed.timer === 0) return '';
  const unit = unitOf(timed);
  const names = timed.timer_working_time
    ? { day: '天', hour: '个工作小时', minute: '分钟工作时间' }
    : { day: '天', hour: '小时', minute: '分钟' };
  return `${Math.round((timed.timer / timeUnits[unit]) * 100) / 100} ${names[unit]}`;
}
