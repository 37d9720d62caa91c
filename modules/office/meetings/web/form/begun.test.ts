import { expect, test } from 'vitest';
import { meetingWanted } from './begun.ts';

test('typing that one wants a room or a meeting, with its title, is understood', () => {
  for (const text of ['新建会议', '预约', '预约会议', '预约会议室', '申请会议室', '订会议室', '约会议', '开会'])
    expect(meetingWanted(text), text).toBe('');
  expect(meetingWanted('预约 例会')).toBe('例会');
  expect(meetingWanted('预约会议室 党委会')).toBe('党委会');
  expect(meetingWanted('新建会议 明天 10点')).toBe('明天 10点');
  expect(meetingWanted('党委会')).toBeUndefined();
});
