import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useReducer } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { ok } from '#kernel/web/testing/server.ts';
import { fieldType } from '../../engine/codes.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { changeField, removeField } from '../form/field-edits.ts';
import { names } from '../testing/names.ts';
import { differences } from '../versions/differences.ts';
import { restNames, turnNames } from '../words.ts';
import { SelectionPanel } from './parts/SelectionPanel.tsx';
import type { Draft } from './state/draft.ts';
import { addState, addTransition, changeState } from './state/edits.ts';
import { problemsOf } from './state/problems.ts';
import type { Selection } from './state/selection.ts';
import type { Designer } from './state/useDesigner.ts';

const server = servedPage();
const at = { x: 0, y: 0 };
const [split, left, right, join] = [11, 12, 13, 14];
/** The leave workflow followed by two parallel branches: 甲 and 乙. */
const branched = [
  (draft: Draft) => addState(draft, split, 'parallel_split', at),
  (draft: Draft) => changeState(addState(draft, left, 'approve', at), left, { name: '甲' }),
  (draft: Draft) => changeState(addState(draft, right, 'approve', at), right, { name: '乙' }),
  (draft: Draft) => addState(draft, join, 'join', at),
  (draft: Draft) => addTransition(draft, 21, split, left),
  (draft: Draft) => addTransition(draft, 22, split, right),
  (draft: Draft) => addTransition(draft, 23, left, join),
  (draft: Draft) => addTransition(draft, 24, right, join),
  (draft: Draft) => addTransition(draft, 25, join, 4),
].reduce((draft, step) => step(draft), leave.definition as Draft);

let latest: Draft;
/** The panel of the selected item, with the draft in its state. */
function Held({ first, chosen }: { first: Draft; chosen: NonNullable<Selection> }) {
  const [draft, edit] = useReducer((now: Draft, change: (draft: Draft) => Draft) => change(now), first);
  latest = draft;
  const problems = problemsOf(draft);
  const designer = { draft, edit, problems, ids: { state: 30, transition: 30, field: 30 } } as unknown as Designer;
  return <SelectionPanel designer={designer} names={names} selection={chosen} onSelect={() => undefined} />;
}
const stateOf = (id: number) => latest.states.find((state) => state.id === id)!;
const wayOf = (id: number) => latest.transitions.find((one) => one.id === id)!;
async function pick(label: string, option: string) {
  const select = await screen.findByLabelText(label);
  fireEvent.mouseDown(select.closest('.ant-select') ?? select);
  const popups = [...document.querySelectorAll<HTMLElement>('.ant-select-dropdown')];
  fireEvent.click(await within(popups.at(-1)!).findByTitle(option));
}
const linesOf = (first: Draft) => differences(first, latest, names).flatMap(({ lines }) => lines);

test('branches run in parallel until they are set to take turns, by branch or by state', async () => {
  show(<Held first={branched} chosen={{ kind: 'state', id: split }} />);
  await pick('各分支怎样办理', turnNames.branch);
  expect(stateOf(split).turns).toBe('branch');
  expect(screen.getByText(/谁先接单谁先办/)).toBeDefined();
  expect(linesOf(branched)).toEqual([{ what: '各分支怎样办理', before: '无', after: turnNames.branch }]);
  await pick('各分支怎样办理', turnNames.state);
  expect(stateOf(split).turns).toBe('state');
  await pick('各分支怎样办理', turnNames.together);
  expect(stateOf(split).turns).toBeUndefined();
});

test('a transition out of a branch may end the other branches, and may depend on the state of another branch', async () => {
  show(<Held first={branched} chosen={{ kind: 'transition', id: 23, branch: null }} />);
  fireEvent.click(screen.getByRole('checkbox', { name: '结束所有分支' }));
  expect(wayOf(23).leaves_branches).toBe(true);
  await pick('只在另一分支办到这里时可用', '乙');
  expect(wayOf(23).only_at).toEqual([stateOf(right).key]);
  expect(linesOf(branched)).toEqual([
    { what: '结束所有分支', before: '无', after: '是' },
    { what: expect.any(String) as string, before: '无', after: '乙' },
  ]);
  fireEvent.click(screen.getByRole('checkbox', { name: '结束所有分支' }));
  await pick('只在另一分支办到这里时可用', '乙');
  expect(wayOf(23)).toEqual(branched.transitions.find((one) => one.id === 23));
});

test('a transition outside branches offers no setting for branches', () => {
  show(<Held first={branched} chosen={{ kind: 'transition', id: 3, branch: null }} />);
  expect(screen.getByRole('checkbox', { name: '检查必填字段' })).toBeDefined();
  expect(screen.queryByRole('checkbox', { name: '结束所有分支' })).toBeNull();
  expect(screen.queryByLabelText('只在另一分支办到这里时可用')).toBeNull();
});

test('a join for some branches may let the rest run on, but not once it waits for all', async () => {
  show(<Held first={branched} chosen={{ kind: 'state', id: join }} />);
  expect(screen.queryByLabelText('其余的分支')).toBeNull();
  const count = (text: string) => {
    const box = screen.getByLabelText('几个分支到达就继续');
    fireEvent.change(box, { target: { value: text } });
    fireEvent.blur(box);
  };
  count('1');
  await pick('其余的分支', restNames.run);
  expect(stateOf(join)).toMatchObject({ join_count: 1, join_rest: 'run' });
  expect(linesOf(branched)).toEqual([
    { what: '到达即继续的分支数', before: '无', after: '1' },
    { what: '其余的分支', before: '无', after: restNames.run },
  ]);
  count('');
  expect([stateOf(join).join_count, stateOf(join).join_rest]).toEqual([undefined, undefined]);
});

const below = 15;
const part = {
  description: '',
  placeholder: '',
  template: '',
  default_value: null,
  choices: [],
  decimals: 2,
  label: {},
};
const table = {
  ...part,
  id: 9,
  key: 'rows',
  name: '明细',
  type: fieldType.table,
  boolean_display: { yes: '是', no: '否' },
  max_rows: 50,
  columns: ['what', 'cost'].map((key) => ({
    ...part,
    key,
    name: key === 'what' ? '物品' : '成本',
    type: fieldType.string,
    boolean_display: { yes: '是', no: '否' },
    required: false,
  })),
};
const tabled: Draft = {
  ...addState(branched, below, 'subticket', at),
  fields: [...branched.fields, table],
};

test('a state can start a child for each table row, with values in and out, and move on at a number', async () => {
  server.answers(({ path }) => {
    if (path.includes('/custom_fields/'))
      return ok({ value: [{ id: 1, key: 'title', name: '标题', type: fieldType.string }], version: 1 });
    if (!path.startsWith('/api/workflows/')) return ok([]);
    return ok({ value: [{ id: 77, key: 'task', name: '采办', module: null }], total: 1, page: 1, per_page: 100 });
  });
  show(<Held first={tabled} chosen={{ kind: 'state', id: below }} />);
  const begins = screen.getByRole('checkbox', { name: '自动发起下级工单' });
  await waitFor(() => expect(begins).toHaveProperty('disabled', false));
  fireEvent.click(begins);
  expect(stateOf(below).children).toEqual({ workflow: 77, each: 'rows', values: {} });
  await pick('“标题”取自', '本行的“物品”');
  await pick('“成本”写回自', '标题');
  const enough = screen.getByLabelText('办结几张就继续');
  fireEvent.change(enough, { target: { value: '2' } });
  fireEvent.blur(enough);
  expect(stateOf(below).children).toEqual({
    workflow: 77,
    each: 'rows',
    values: { title: 'row.what' },
    back: { cost: 'title' },
    enough: 2,
  });
  fireEvent.click(begins);
  expect(stateOf(below).children).toBeUndefined();
});

test('a state that starts a child for each row follows a column that gets another key', () => {
  const children = { workflow: 77, each: 'rows', values: { title: 'row.what' }, back: { cost: 'title' } };
  const columns = table.columns.map((one) => (one.key === 'what' ? { ...one, key: 'thing' } : one));
  const renamed = changeField(changeState(tabled, below, { children }), table.id, { columns });
  expect(renamed.states.find((one) => one.id === below)!.children).toEqual({
    ...children,
    values: { title: 'row.thing' },
  });
});

test('a column has its table’s access until it gets its own, which follows a rename and is removed with the column', async () => {
  const shown = changeState(tabled, left, { access: { rows: 3 } });
  show(<Held first={shown} chosen={{ kind: 'state', id: left }} />);
  fireEvent.click(await screen.findByRole('tab', { name: /字段/ }));
  await pick('列“成本”的权限', '隐藏');
  expect(stateOf(left).columns).toEqual({ rows: { cost: 4 } });
  expect(linesOf(shown)).toEqual([{ what: '列的权限', before: '无', after: '明细的成本 隐藏' }]);
  const renamed = changeField(latest, table.id, {
    columns: table.columns.map((one) => (one.key === 'cost' ? { ...one, key: 'price' } : one)) as never,
  });
  const said = (draft: Draft) => draft.states.find((one) => one.id === left)!.columns;
  expect(said(renamed)).toEqual({ rows: { price: 4 } });
  expect(said(changeField(renamed, table.id, { key: 'lines' }))).toEqual({ lines: { price: 4 } });
  expect(said(changeField(renamed, table.id, { columns: [table.columns[0]] as never }))).toEqual({ rows: {} });
  expect(said(removeField(renamed, table.id))).toEqual({});
  await pick('列“成本”的权限', '随表格');
  expect(stateOf(left).columns).toEqual({ rows: {} });
});
