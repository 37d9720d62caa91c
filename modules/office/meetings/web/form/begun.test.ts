import { expect, test } from 'vitest';
import { titleWanted } from './begun.ts';

test('whoever types that they want a room or a meeting is understood, with what it is called', () => {
  for (const text of ['预约', '预约会议', '预约会议室', '申请会议室', '订会议室', '约会议', '开会'])
    expect(titleWanted(text), text).toBe('');
  expect(titleWanted('预约 例会')).toBe('例会');
  expect(titleWanted('预约会议室 党委会')).toBe('党委会');
  expect(titleWanted('党委会')).toBeUndefined();
});
