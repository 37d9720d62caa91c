import type { StateKind } from '../../../engine/codes.ts';
import type { Definition, State, Transition } from '../../../engine/definition.ts';
import type { Point, Positions } from '../../graph/route/route.ts';
import { newState, newTransition, type Draft } from './draft.ts';

/** Changes of the states and buttons of a draft. Each returns a new draft, or the same one if nothing changes. */
export function addState(draft: Draft, id: number, kind: StateKind, at: Point): Draft {
  const added = newState(draft, id, kind, at);
  if (kind === 'end') return { ...draft, states: [...draft.states, added] };
  // In the list of steps the end states stay last.
  const states = draft.states.map((state) => (state.kind === 'end' ? { ...state, order: state.order + 1 } : state));
  const order = Math.max(0, ...draft.states.flatMap((state) => (state.kind === 'end' ? [] : state.order))) + 1;
  return { ...draft, states: [...states, { ...added, order }] };
}

/** A line of the drawing: a button's own target, or one of its branches. */
export interface Way {
  transition: number;
  branch: number | null;
}
const placeOf = ({ label }: State): Point => ({ x: Number(label['x'] ?? 0), y: Number(label['y'] ?? 0) });
/** Pixels between two states with space for one in between, and the space added if there is less. */
const roomFor = 220;
const roomMade = 130;

/**
 * Inserts a state into a line: the line leads to it, and it leads on to the old target. Everything below moves down. Returns the draft unchanged if
 * the line is gone or is a loop, or if the state is a start or an end.
 */
export function insertState(
  draft: Draft,
  ids: { state: number; transition: number },
  { transition: id, branch }: Way,
  kind: StateKind,
): Draft {
  const way = draft.transitions.find((one) => one.id === id);
  const to = branch === null ? way?.destination : way?.conditions[branch]?.target_state_id;
  const source = draft.states.find((state) => state.id === way?.source);
  const target = draft.states.find((state) => state.id === to);
  if (!way || !source || !target || source === target || kind === 'start' || kind === 'end') return draft;
  const [above, below] = [placeOf(source), placeOf(target)];
  const gap = below.y - above.y;
  const room = gap > 0 && gap < roomFor ? roomMade : 0;
  const lower = new Map(
    draft.states.flatMap((state) => {
      const { x, y } = placeOf(state);
      return room > 0 && y >= below.y ? [[state.id, { x, y: y + room }] as const] : [];
    }),
  );
  const at = { x: (above.x + below.x) / 2, y: above.y + (gap + room) / 2 };
  const more = addState(moveStates(draft, lower), ids.state, kind, at);
  const led: Draft = {
    ...more,
    states: more.states.map((state) => {
      if (state.id === ids.state) return { ...state, order: source.order + 1 };
      return state.order > source.order && state.kind !== 'end' ? { ...state, order: state.order + 1 } : state;
    }),
    transitions: more.transitions.map((one) => {
      if (one.id !== id) return one;
      if (branch === null) return { ...one, destination: ids.state };
      const leads = (condition: Transition['conditions'][number], index: number) =>
        index === branch ? { ...condition, target_state_id: ids.state } : condition;
      return { ...one, conditions: one.conditions.map(leads) };
    }),
  };
  return addTransition(led, ids.transition, ids.state, target.id);
}

/** Numbers the states from top to bottom, the order of the list of steps. */
export function orderByPlace(draft: Draft): Draft {
  const place = ({ label }: State) => Number(label['y'] ?? 0) * 10_000 + Number(label['x'] ?? 0);
  const rank = new Map(
    [...draft.states].sort((a, b) => place(a) - place(b)).map((state, index) => [state.id, index + 1]),
  );
  return { ...draft, states: draft.states.map((state) => ({ ...state, order: rank.get(state.id) ?? state.order })) };
}

export function changeState(draft: Draft, id: number, part: Partial<State>): Draft {
  return { ...draft, states: draft.states.map((state) => (state.id === id ? { ...state, ...part } : state)) };
}

/** Removes states with every button that leads from or to them, and every branch that leads to them. */
export function removeStates(draft: Draft, ids: ReadonlySet<number>): Draft {
  if (!draft.states.some((state) => ids.has(state.id))) return draft;
  return {
    ...draft,
    states: draft.states.filter((state) => !ids.has(state.id)),
    transitions: draft.transitions
      .filter((one) => !ids.has(one.source) && !ids.has(one.destination))
      .map((one) => withConditions(one, (branch) => !ids.has(branch.target_state_id))),
  };
}

/** Moves states to their dragged positions. */
export function moveStates(draft: Draft, to: Positions): Draft {
  const moved = draft.states.some(({ id, label }) => {
    const at = to.get(id);
    return at && (label['x'] !== Math.round(at.x) || label['y'] !== Math.round(at.y));
  });
  if (!moved) return draft;
  return {
    ...draft,
    states: draft.states.map((state) => {
      const at = to.get(state.id);
      return at ? { ...state, label: { ...state.label, x: Math.round(at.x), y: Math.round(at.y) } } : state;
    }),
  };
}

/** Copies a state and places it beside the original, without its buttons. */
export function copyState(draft: Draft, of: number, id: number): Draft {
  const state = draft.states.find((one) => one.id === of);
  if (!state || state.kind === 'start') return draft;
  const at = { x: Number(state.label['x'] ?? 0) + 40, y: Number(state.label['y'] ?? 0) + 90 };
  const fresh = newState(draft, id, state.kind, at);
  return {
    ...draft,
    states: [
      ...draft.states,
      { ...state, id, key: fresh.key, name: fresh.name, order: fresh.order, label: { ...state.label, ...fresh.label } },
    ],
  };
}

/** Adds a button from one state to another; unchanged if one of them is missing or the source is an end. */
export function addTransition(draft: Draft, id: number, from: number, to: number): Draft {
  const source = draft.states.find((state) => state.id === from);
  const destination = draft.states.find((state) => state.id === to);
  if (!source || !destination || source.kind === 'end') return draft;
  if (from === to && source.kind !== 'start') return draft;
  return { ...draft, transitions: [...draft.transitions, newTransition(draft, id, source, destination)] };
}

export function changeTransition(draft: Draft, id: number, part: Partial<Transition>): Draft {
  return { ...draft, transitions: draft.transitions.map((one) => (one.id === id ? { ...one, ...part } : one)) };
}

export function removeTransition(draft: Draft, id: number): Draft {
  const transitions = draft.transitions.filter((one) => one.id !== id);
  return transitions.length === draft.transitions.length ? draft : { ...draft, transitions };
}

/** Removes one branch of a button. */
export function removeBranch(draft: Draft, id: number, branch: number): Draft {
  return {
    ...draft,
    transitions: draft.transitions.map((one) =>
      one.id === id ? withConditions(one, (_branch, index) => index !== branch) : one,
    ),
  };
}

export function changeSettings(draft: Draft, part: Partial<Definition['settings']>): Draft {
  return { ...draft, settings: { ...draft.settings, ...part } };
}

/** The nearest state in a direction, for the arrow keys; undefined if there is none. */
export function nearest(at: Positions, from: number, towards: 'up' | 'down' | 'left' | 'right'): number | undefined {
  const here = at.get(from);
  if (!here) return undefined;
  const ways = [...at].flatMap(([id, { x, y }]) => {
    const [dx, dy]: [number, number] = [x - here.x, y - here.y];
    const [along, across] = {
      up: [-dy, dx],
      down: [dy, dx],
      left: [-dx, dy],
      right: [dx, dy],
    }[towards] as [number, number];
    return id !== from && along > 0 ? [{ id, far: along + 2 * Math.abs(across) }] : [];
  });
  return ways.sort((a, b) => a.far - b.far)[0]?.id;
}

function withConditions(
  transition: Transition,
  keep: (branch: Transition['conditions'][number], index: number) => boolean,
): Transition {
  const conditions = transition.conditions.filter(keep);
  return conditions.length === transition.conditions.length ? transition : { ...transition, conditions };
}

/** A free position below everything, for a state added without a pointer. */
export function placeBelow(draft: Draft): Point {
  const places = draft.states.map((state) => ({ x: Number(state.label['x'] ?? 0), y: Number(state.label['y'] ?? 0) }));
  const lowest = places.reduce((low, at) => (at.y > low.y ? at : low), { x: 0, y: -120 });
  return { x: lowest.x, y: lowest.y + 130 };
}
