import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { MeetDetail } from '../../contract/shapes.ts';

const week = 7 * dayMs;
const kept = [
  'title',
  'type_id',
  'mode',
  'room_id',
  'location',
  'online_url',
  'host_id',
  'contact_id',
  'contact_phone',
  'recorder_id',
  'audience',
  'observers',
  'agenda',
  'requirements',
  'materials_acl',
  'is_public',
  'sign_mode',
  'sign_before_min',
  'late_after_min',
  'remind',
  'sms',
  'notify',
] as const satisfies readonly (keyof MeetDetail)[];

type Copied = Pick<MeetDetail, (typeof kept)[number]> &
  Record<'start_time' | 'end_time', string | undefined> & { topics: object[]; guests: object[] };

/**
 * A copy of a meeting: the same words and people, at the same hour of the next such weekday. Files belong to the other meeting, and guests'
 * numbers are unreadable, so both are left out.
 */
export function copyOf(row: MeetDetail, now: string): Copied {
  const same = Object.fromEntries(kept.map((key) => [key, row[key]])) as Pick<MeetDetail, (typeof kept)[number]>;
  const from = row.start_time ?? now;
  const away = Math.max(1, Math.floor((momentOf(now).getTime() - momentOf(from).getTime()) / week) + 1) * week;
  const later = (at: string | null) => at && momentText(new Date(momentOf(at).getTime() + away)).slice(0, 16);
  return {
    ...same,
    start_time: later(row.start_time) ?? undefined,
    end_time: later(row.end_time) ?? undefined,
    topics: row.topics.map(({ title, reporter, minutes }) => ({ title, reporter, minutes, files: [] })),
    guests: row.guests.map(({ name, org }) => ({ name, org, mobile: '' })),
  };
}
