import { expect, test } from 'vitest';
import { actState, actStateNames } from './codes.ts';

test('the seven states of a document, and of every ticket, have the numbers of the specification and a name each', () => {
  expect(Object.values(actState)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(actStateNames).toEqual(['草稿', '待审', '已退回', '已撤回', '已通过', '已关闭', '申请办结']);
});
