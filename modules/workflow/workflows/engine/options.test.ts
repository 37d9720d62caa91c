import { expect, test } from 'vitest';
import { leave } from './gallery/leave.ts';
import { Definition } from './definition.ts';

type Draft = { [key: string]: Draft };
const said = (path: string, more: object) => {
  const draft = structuredClone(leave.definition) as unknown as Draft;
  const at = path === '' ? draft : path.split('.').reduce((one, step) => one[step]!, draft);
  Object.assign(at, more);
  return Definition.safeParse(draft).error?.issues.map((issue) => [issue.path.join('.'), issue.message]);
};
const no = (name: string) => `没有“${name}”这个选项，请去掉或改正`;

test('unknown options of a definition are refused with their name, at every depth', () => {
  const parts = ['', 'settings', 'settings.limit', 'states.1', 'states.1.participants.0', 'transitions.0', 'fields.0'];
  for (const part of parts) expect(said(part, { approve_mode: 'x' })).toEqual([[part, no('approve_mode')]]);
  expect(said('states.1.distribution', { quorum: 2, veto: 1 })).toEqual([
    ['states.1.distribution', no('quorum、veto')],
  ]);
});

test('a name in a definition that holds control characters is refused', () => {
  expect(said('fields.0', { name: '事由\u0007' })).toEqual([['fields.0.name', '含有不能显示的字符，请删去后重新填写']]);
});
