import { expect, test } from 'vitest';
import { leave } from '../../engine/gallery/leave.ts';
import { layoutInput, positionsIn } from './route/layout.ts';
import { linksOf } from './route/links.ts';
import { graphOfDefinition } from './of-draft.ts';
import { routeOf } from './route/route.ts';

const names = {
  person: String,
  dept: String,
  role: String,
  group: String,
  cards: () => [],
  roles: [],
  groups: [],
  meanings: [],
};
const { states, transitions } = graphOfDefinition(leave.definition, names);
const links = linksOf(transitions);
const line = (id: string) => links.find((one) => one.id === id) ?? expect.fail(id);

test('each branch is drawn as its own line, and the default branch says so', () => {
  expect(line('t3b0')).toMatchObject({ source: 2, target: 3, text: '同意：天数 大于 3' });
  expect(line('t3')).toMatchObject({ source: 2, target: 4, text: '同意：其他情况' });
  expect(line('t2').text).toBe('提交');
});

test('the layout begins with the start and ends with the end, and refusals do not reverse it', () => {
  const input = layoutInput(states, links);
  expect(input.children[0]?.layoutOptions).toEqual({ 'elk.layered.layering.layerConstraint': 'FIRST' });
  expect(input.children.at(-1)?.layoutOptions).toEqual({ 'elk.layered.layering.layerConstraint': 'LAST' });
  expect(input.edges.map((edge) => edge.id)).not.toContain('t1');
  const weight = (id: string) =>
    input.edges.find((edge) => edge.id === id)?.layoutOptions['elk.layered.priority.direction'];
  expect([weight('t4'), weight('t5')]).toEqual(['0', '10']);
});

test('lines to removed states are left out', () => {
  expect(layoutInput(states.slice(0, 2), links).edges.map((edge) => edge.id)).toEqual(['t2', 't4']);
});

test('saved positions are whole pixels', () => {
  expect(positionsIn({ children: [{ id: '3', x: 1.4, y: 2.6 }, { id: '4' }] })).toEqual(
    new Map([
      [3, { x: 1, y: 3 }],
      [4, { x: 0, y: 0 }],
    ]),
  );
});

test('lines run downwards, back along the right side, and around states in their way', () => {
  const at = new Map(states.map((state, index) => [state.id, { x: 0, y: index * 130 }]));
  expect(routeOf(line('t2'), links, at)).toMatchObject({ from: 'bottom', to: 'top' });
  expect(routeOf(line('t4'), links, at)).toMatchObject({ from: 'right', to: 'right' });
  expect(routeOf(line('t3'), links, at)).toMatchObject({ from: 'left', to: 'left' });
  expect(routeOf(line('t6'), links, at).offset).toBeGreaterThan(routeOf(line('t4'), links, at).offset);
});
