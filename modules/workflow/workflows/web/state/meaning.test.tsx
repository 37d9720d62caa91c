import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { completing } from '../../engine/meanings.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { copyState, changeState } from '../designer/state/edits.ts';
import type { Names } from '../names.ts';
import { nodeText } from '../node-text.ts';
import { differences } from '../versions/differences.ts';
import { MeaningSelects } from './MeaningSelects.tsx';

const listed = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([value, label]) => ({ value, label }));
const names: Names = {
  person: String,
  dept: String,
  role: String,
  group: String,
  cards: () => [],
  roles: [],
  groups: [],
  meanings: [
    { key: 'document', title: '在公文中的含义', values: listed({ sign: '签发', number: '登记编号' }) },
    { ...completing, values: listed(completing.values) },
  ],
};
const place = { x: 10, y: 20, retreat: 'always' };
const before = changeState(leave.definition, 2, { label: place });
const stateOf = (definition: typeof before, id: number) => definition.states.find((one) => one.id === id)!;
let latest = before;
servedPage();

function Held({ id }: { id: number }) {
  const [draft, set] = useState(latest);
  latest = draft;
  const onChange = (part: object) => set((now) => changeState(now, id, part));
  return <MeaningSelects state={stateOf(draft, id)} meanings={names.meanings} onChange={onChange} />;
}

test('a state’s meaning is set and removed without losing its other labels', async () => {
  show(<Held id={2} />);
  const select = screen.getByLabelText('在公文中的含义');
  fireEvent.mouseDown(select.closest('.ant-select')!);
  fireEvent.click(await screen.findByTitle('登记编号'));
  expect(stateOf(latest, 2).label).toEqual({ ...place, document: 'number' });
  expect(nodeText(stateOf(latest, 2), latest, names)).toContain('登记编号');
  expect(differences(before, latest, names)[0]?.lines).toEqual([
    { what: '在公文中的含义', before: '无', after: '登记编号' },
  ]);
  const copied = copyState(latest, 2, 9);
  expect(stateOf(copied, 9).label).toMatchObject({ document: 'number', retreat: 'always' });
  fireEvent.mouseDown(select.closest('.ant-select')!);
  fireEvent.click((await screen.findAllByTitle('没有特别的含义')).at(-1)!);
  expect(stateOf(latest, 2).label).toEqual(place);
});

test('a state where nobody decides offers no meaning, but an existing one can be removed', () => {
  show(<Held id={1} />);
  expect(screen.queryByLabelText('在公文中的含义')).toBeNull();
  latest = changeState(before, 1, { label: { document: 'sign' } });
  show(<Held id={1} />);
  expect(screen.getByLabelText('在公文中的含义')).toBeDefined();
  expect(screen.queryByLabelText('办结')).toBeNull();
});
