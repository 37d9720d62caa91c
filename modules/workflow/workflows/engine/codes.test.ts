import { expect, test } from 'vitest';
import { actState } from './codes.ts';

test('the seven states of a document, and of every ticket, have the numbers of the specification and a name each', () => {
  expect(actState.names).toEqual({
    0: '草稿',
    1: '待审',
    2: '已退回',
    3: '已撤回',
    4: '已通过',
    5: '已关闭',
    6: '申请办结',
  });
});
