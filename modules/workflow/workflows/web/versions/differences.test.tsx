import { expect, test } from 'vitest';
import { leave } from '../../engine/gallery/leave.ts';
import { changeState, changeTransition, moveStates, removeStates } from '../designer/state/edits.ts';
import { names } from '../testing/names.ts';
import { differences } from './differences.ts';

const before = leave.definition;

test('a version equals itself, wherever its nodes stand', () => {
  const moved = moveStates(before, new Map([[1, { x: 5, y: 5 }]]));
  expect(differences(before, moved, names)).toEqual([]);
});

test('a changed version is described in words, before and after', () => {
  const after = changeTransition(
    changeState(before, 2, { name: '主任审批', distribution: { type: 4, reject_rule: 1, pass_ratio: 100 } }),
    3,
    { conditions: [{ expression: { op: 'gt', field: 'days', value: 5 }, target_state_id: 3 }] },
  );
  const [state, transition, ...more] = differences(before, after, names);
  expect(state).toMatchObject({ kind: 'state', id: 2, change: 'changed' });
  expect(state?.lines.find((one) => one.what === '名称')).toMatchObject({
    before: '部门负责人审批',
    after: '主任审批',
  });
  expect(state?.lines.map((one) => one.what)).toContain('会签规则');
  expect(transition?.lines.find((one) => one.what === '条件')).toEqual({
    what: '条件',
    before: '天数 大于 3 → 分管领导审批',
    after: '天数 大于 5 → 分管领导审批',
  });
  expect(more).toEqual([]);
});

test('added and removed parts of a version are listed by name', () => {
  const fewer = removeStates(before, new Set([3]));
  const gone = differences(before, fewer, names).filter((one) => one.change === 'removed');
  expect(gone.map((one) => one.name)).toEqual(['分管领导审批', '同意', '拒绝']);
  const come = differences(fewer, before, names).filter((one) => one.change === 'added');
  expect(come.map((one) => one.name)).toEqual(['分管领导审批', '同意', '拒绝']);
});
