import { describe, expect, test } from 'vitest';
import { attributeType, fieldType } from '../../engine/codes.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { withoutColumn } from '../../engine/naming/removal.ts';
import { addField, changeColumn, changeField, moveField, removeField } from '../form/field-edits.ts';
import { nextIds, positionsOf, type Draft } from './state/draft.ts';
import { addState, addTransition, insertState, moveStates, nearest, removeStates } from './state/edits.ts';
import { advance, begin, longest } from './state/history.ts';
import { marksOf, problemsOf, unfinished } from './state/problems.ts';

const draft: Draft = leave.definition;
const ids = { state: 5, transition: 7, field: 23 };

describe('the history of the designer', () => {
  const put = (value: number) => ({ type: 'edit' as const, change: () => value });

  test('goes step by step back and forward again', () => {
    let history = begin(0);
    for (const value of [1, 2, 3]) history = advance(history, put(value));
    history = advance(advance(history, { type: 'undo' }), { type: 'undo' });
    expect(history.present).toBe(1);
    history = advance(history, { type: 'redo' });
    expect(history.present).toBe(2);
    expect(advance(history, put(9)).future).toEqual([]);
  });

  test('ignores undo at the beginning and redo at the end', () => {
    const history = begin(0);
    expect(advance(history, { type: 'undo' })).toBe(history);
    expect(advance(history, { type: 'redo' })).toBe(history);
  });

  test('joins successive edits of one thing, and separates them after an undo', () => {
    const typed = (value: number) => ({ type: 'edit' as const, change: () => value, about: 'name' });
    let history = advance(advance(begin(0), typed(1)), typed(2));
    expect(history.past).toEqual([0]);
    history = advance(advance(history, { type: 'undo' }), typed(5));
    expect(history).toMatchObject({ past: [0], present: 5 });
  });

  test('records no step for an edit that changes nothing', () => {
    const history = begin(draft);
    expect(advance(history, { type: 'edit', change: (now) => removeStates(now, new Set([99])) })).toBe(history);
  });

  test('keeps only the latest steps', () => {
    let history = begin(0);
    for (let value = 1; value <= longest + 20; value += 1) history = advance(history, put(value));
    expect(history.past).toHaveLength(longest);
    expect(history.past[0]).toBe(20);
  });
});

describe('states and transitions in the designer', () => {
  test('do not reuse the numbers of removed parts', () => {
    const fewer = removeStates(draft, new Set([3]));
    expect(nextIds(fewer, ids)).toEqual(ids);
  });

  test('are removed together: a state takes its buttons and the branches that lead to it', () => {
    const fewer = removeStates(draft, new Set([3]));
    expect(fewer.transitions.map((one) => one.id)).toEqual([1, 2, 3, 4]);
    expect(fewer.transitions.find((one) => one.id === 3)?.conditions).toEqual([]);
    expect(draft.transitions.find((one) => one.id === 3)?.conditions).toHaveLength(1);
  });

  test('are inserted into a line so that it leads to the new state and on to its old target, with room on the canvas', () => {
    const way = draft.transitions.find((one) => one.source !== one.destination)!;
    const placed = moveStates(draft, new Map(draft.states.map(({ id }, row) => [id, { x: 0, y: row * 120 }])));
    const own = insertState(placed, ids, { transition: way.id, branch: null }, 'approve');
    expect(own.transitions.find((one) => one.id === way.id)?.destination).toBe(ids.state);
    expect(own.transitions.at(-1)).toMatchObject({
      id: ids.transition,
      source: ids.state,
      destination: way.destination,
    });
    const orderOf = (id: number) => own.states.find((state) => state.id === id)!.order;
    expect([orderOf(way.source), orderOf(ids.state)]).toEqual([1, 2]);
    expect(new Set(own.states.map((state) => state.order)).size).toBe(own.states.length);
    const heights = [way.source, ids.state, way.destination].map((id) => positionsOf(own)!.get(id)!.y);
    expect(positionsOf(own)!.size).toBe(draft.states.length + 1);
    expect([heights[1]! - heights[0]!, heights[2]! - heights[1]!].every((gap) => gap >= 60)).toBe(true);

    const branched = draft.transitions.find((one) => one.conditions.length > 0)!;
    const through = insertState(draft, ids, { transition: branched.id, branch: 0 }, 'cc');
    const after = through.transitions.find((one) => one.id === branched.id)!;
    expect([after.destination, after.conditions[0]!.target_state_id]).toEqual([branched.destination, ids.state]);
    expect(through.transitions.at(-1)?.destination).toBe(branched.conditions[0]!.target_state_id);

    for (const kind of ['start', 'end'] as const)
      expect(insertState(draft, ids, { transition: way.id, branch: null }, kind)).toBe(draft);
    expect(insertState(draft, ids, { transition: 99, branch: null }, 'cc')).toBe(draft);
  });

  test('name a new button by what it does', () => {
    const more = addState(draft, 5, 'approve', { x: 0.4, y: 900 });
    const back = addTransition(more, 7, 5, 1).transitions.at(-1);
    expect(back).toMatchObject({ name: '拒绝', attribute: attributeType.refuse, suggestion_required: true });
    expect(addTransition(more, 7, 5, 4).transitions.at(-1)).toMatchObject({
      name: '同意',
      attribute: attributeType.agree,
    });
    expect(more.states.map((state) => state.order)).toEqual([1, 2, 3, 5, 4]);
    expect(addTransition(more, 7, 2, 5).transitions.at(-1)).toMatchObject({ name: '同意 2' });
  });

  test('allow nothing to leave an end, and only the start to lead to itself', () => {
    expect(addTransition(draft, 7, 4, 1)).toBe(draft);
    expect(addTransition(draft, 7, 2, 2)).toBe(draft);
    expect(addTransition(draft, 7, 1, 1).transitions.at(-1)).toMatchObject({ name: '保存 2' });
  });

  test('keep their positions in the labels, and a move to the same position is no change', () => {
    const places = new Map(draft.states.map((state, index) => [state.id, { x: 0, y: index * 130 }]));
    const placed = moveStates(draft, places);
    expect(positionsOf(draft)).toBeNull();
    expect(positionsOf(placed)).toEqual(places);
    expect(moveStates(placed, places)).toBe(placed);
  });

  test('are reached by the arrow keys, each to the nearest state in its direction', () => {
    const at = new Map([
      [1, { x: 0, y: 0 }],
      [2, { x: 0, y: 130 }],
      [3, { x: 200, y: 130 }],
      [4, { x: 0, y: 260 }],
    ]);
    expect(nearest(at, 1, 'down')).toBe(2);
    expect(nearest(at, 2, 'right')).toBe(3);
    expect(nearest(at, 2, 'left')).toBeUndefined();
    expect(nearest(at, 4, 'up')).toBe(2);
  });
});

describe('fields in the designer', () => {
  test('are renamed together with every use of their key', () => {
    const renamed = changeField(draft, 4, { key: 'length' });
    expect(JSON.stringify(renamed)).not.toContain('"days"');
    expect(renamed.settings.title_template).toContain('{length}');
    expect(problemsOf(renamed)).toEqual(problemsOf(draft));
    const dated = changeField(draft, 2, { key: 'begin' }).fields;
    expect(dated.find(({ key }) => key === 'to')?.not_before).toBe('begin');
    expect(dated.find(({ key }) => key === 'days')?.days_between).toMatchObject({ from: 'begin', to: 'to' });
  });

  test('update columns that refer to a renamed date, and clear the reference when the date is removed', () => {
    const columns = leave.definition.fields
      .filter(({ key }) => ['from', 'to', 'days'].includes(key))
      .map(({ id: _id, columns: _columns, max_rows: _rows, ...part }) => ({ ...part, required: false }));
    const [, end, count] = changeColumn(columns, 0, { key: 'begin' });
    expect([end?.not_before, count?.days_between]).toMatchObject(['begin', { from: 'begin', to: 'to' }]);
    const [alone, free] = withoutColumn(columns, 0);
    expect([alone?.key, alone?.not_before, free?.days_between]).toEqual(['to', undefined, undefined]);
  });

  test('no longer mark an absence when its beginning is removed', () => {
    const endOf = ({ fields }: typeof draft) => fields.find(({ key }) => key === 'to');
    expect(endOf(draft)?.away).toBe('leave');
    const without = endOf(removeField(draft, 2));
    expect([without?.not_before, without?.away]).toEqual([undefined, undefined]);
  });

  test('are required at the start and read-only later when they are new', () => {
    const more = addField(draft, 7, fieldType.table);
    const field = more.fields.at(-1);
    expect(field?.columns).toHaveLength(1);
    expect(more.states.map((state) => state.access[field?.key ?? ''])).toEqual([2, 1, 1, undefined]);
  });

  test('leave a reported problem in conditions when they are removed', () => {
    const fewer = removeField(draft, 4);
    expect(fewer.states.some((state) => 'days' in state.access)).toBe(false);
    expect(
      problemsOf(fewer)
        .map((one) => one.msg)
        .join(),
    ).toContain('days');
  });

  test('move within the form and never out of it', () => {
    expect(moveField(draft, 0, 2).fields.map((field) => field.id)).toEqual([2, 21, 1, 3, 22, 4, 5, 6]);
    expect(moveField(draft, 0, -1)).toBe(draft);
    expect(moveField(draft, draft.fields.length - 1, draft.fields.length)).toBe(draft);
  });
});

describe('problems in the designer', () => {
  test('do not exist for the seeded workflow', () => expect(problemsOf(draft)).toEqual([]));

  test('mark the node of a state that leads nowhere', () => {
    const more = addState(draft, 5, 'approve', { x: 0, y: 0 });
    expect(marksOf(more, problemsOf(more)).get(5)?.length).toBeGreaterThan(0);
  });

  test('name the button whose condition lacks a value, and keep the draft from being saved', () => {
    const branch = { expression: { op: 'dept_in' as const, value: [] }, target_state_id: 3 };
    const transitions = draft.transitions.map((one) => (one.id === 3 ? { ...one, conditions: [branch] } : one));
    expect(unfinished({ ...draft, transitions })).toEqual([
      { kind: 'transition', key: 'fzr_agree', msg: '流转“同意”的条件没有填写完整' },
    ]);
  });
});
