import { expect, test } from 'vitest';
import { leave } from '../seeds/leave.ts';
import { Definition } from './definition.ts';

const said = (change: (draft: Record<string, never>) => void) => {
  const draft = structuredClone(leave.definition) as unknown as Record<string, never>;
  change(draft);
  const { error } = Definition.safeParse(draft);
  return error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

test('unknown options of a definition are refused with their name, wherever they stand', () => {
  const no = (name: string) => `没有“${name}”这个选项，请去掉或改正`;
  const put = (part: string) => (draft: Record<string, any>) => {
    const at = part === '' ? draft : part.split('.').reduce((one, step) => one[step], draft);
    Object.assign(at, { approve_mode: 'x' });
  };
  for (const part of [
    '',
    'settings',
    'settings.limit',
    'states.1',
    'states.1.participants.0',
    'transitions.0',
    'fields.0',
  ])
    expect([part, said(put(part))]).toEqual([part, [`${part}: ${no('approve_mode')}`]]);
  expect(
    said((draft: Record<string, any>) => Object.assign(draft['states'][1].distribution, { quorum: 2, veto: 1 })),
  ).toEqual([`states.1.distribution: ${no('quorum、veto')}`]);
});
