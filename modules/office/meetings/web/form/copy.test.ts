import { expect, test } from 'vitest';
import type { MeetDetail } from '../../contract/shapes.ts';
import { copyOf } from './copy.ts';

const row = {
  title: '周例会',
  room_id: 3,
  host_id: 7,
  audience: { all: false, depts: [], roles: [], users: [8, 9], users_info: [], called: '' },
  observers: [10],
  start_time: '2026-12-01 09:00:00',
  end_time: '2026-12-01 10:30:00',
  topics: [{ title: '进展', reporter: '张三', minutes: 10, files: [5], files_info: [] }],
  guests: [{ id: 4, name: '李四', org: '合作单位', mobile_tail: '1234' }],
} as unknown as MeetDetail;
const timesAt = (now: string) => {
  const { start_time, end_time } = copyOf(row, now);
  return [start_time, end_time];
};

test('a meeting copied to be held again is on the same weekday at the same hour, and never in the past', () => {
  expect(timesAt('2026-11-20 12:00:00')).toEqual(['2026-12-08 09:00', '2026-12-08 10:30']);
  expect(timesAt('2026-12-08 08:59:00')).toEqual(['2026-12-08 09:00', '2026-12-08 10:30']);
  expect(timesAt('2026-12-08 09:00:00')).toEqual(['2026-12-15 09:00', '2026-12-15 10:30']);
  expect(timesAt('2027-03-03 00:00:00')[0]).toBe('2027-03-09 09:00');
});

test('a copied meeting has the people, the room and the topics, but no files or guests’ numbers', () => {
  expect(copyOf(row, '2026-12-02 08:00:00')).toMatchObject({
    title: '周例会',
    room_id: 3,
    host_id: 7,
    audience: { users: [8, 9] },
    observers: [10],
    topics: [{ title: '进展', reporter: '张三', minutes: 10, files: [] }],
    guests: [{ name: '李四', org: '合作单位', mobile: '' }],
  });
  expect(JSON.stringify(copyOf(row, '2026-12-02 08:00:00').guests)).not.toMatch(/id|1234/);
});
