import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { distributeType, onSelf, rejectRule } from '../../engine/codes.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { newState } from '../designer/state/draft.ts';
import { changeState } from '../designer/state/edits.ts';
import { names } from '../testing/names.ts';
import { differences } from '../versions/differences.ts';
import { PeopleTab } from './PeopleTab.tsx';

servedPage();
const sequential = { type: distributeType.sequential } as const;
const before = changeState(leave.definition, 2, { distribution: sequential });
let latest = before;

function Held() {
  const [draft, set] = useState(latest);
  latest = draft;
  const state = draft.states.find((one) => one.id === 2)!;
  const onChange = (part: object) => set((now) => changeState(now, 2, part));
  return <PeopleTab state={state} definition={draft} names={names} onChange={onChange} />;
}

test('only a state where all must vote asks whether one person may fill several seats', () => {
  const { unmount } = show(<Held />);
  expect(screen.getByText('不勾选时按人计：代他人表态也算本人的一席，另一席要转交他人')).toBeDefined();
  fireEvent.click(screen.getByRole('checkbox', { name: '同一个人可以占几席' }));
  expect(latest.states.find((one) => one.id === 2)!.several_seats).toBe(true);
  expect(differences(before, latest, names)[0]?.lines).toEqual([{ what: '一人可占几席', before: '否', after: '是' }]);
  unmount();
  latest = changeState(latest, 2, { distribution: { type: distributeType.direct, reject_rule: rejectRule.veto } });
  show(<Held />);
  expect(screen.queryByRole('checkbox', { name: '同一个人可以占几席' })).toBeNull();
});

test('a new approval passes by the applicant by default; a task that is no approval stays theirs', () => {
  const at = { x: 0, y: 0 };
  expect(newState(before, 90, 'approve', at).on_self).toBe(onSelf.superior);
  expect(newState(before, 91, 'handle', at).on_self).toBe(onSelf.asUsual);
});
