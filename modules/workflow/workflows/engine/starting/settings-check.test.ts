import { expect, test } from 'vitest';
import { publishProblems } from '../check/publish-check.ts';
import { Definition, Draft, type DefinitionInput } from '../definition.ts';
import { leave } from '../gallery/leave.ts';

const problems = (settings: DefinitionInput['settings']) =>
  publishProblems(
    Definition.parse({ ...leave.definition, settings: { ...leave.definition.settings, ...settings } }),
  ).map(({ msg }) => msg);

test('a rule that lets nobody start for others, or for nobody, keeps a workflow from being published', () => {
  expect(problems({ start_for: [{ own_dept: true }, { roles: ['staff'] }] })).toEqual([
    '代他人发起的第 1 条规则没有写谁可以代为发起，请选择人员、角色或用户组',
    '代他人发起的第 2 条规则没有写可以代哪些部门的人发起，请选择',
  ]);
  expect(problems({ start_for: [{ groups: [1], depts: [2] }] })).toEqual([]);
});

test('a search for doubles without fields is kept in a draft and not published', () => {
  const doubles = { fields: [], days: 90 };
  expect(Draft.safeParse({ ...leave.definition, settings: { ...leave.definition.settings, doubles } }).success).toBe(
    true,
  );
  expect(problems({ doubles })).toEqual(['提交时查重没有选择比较的字段，请选择字段，或取消查重']);
});
