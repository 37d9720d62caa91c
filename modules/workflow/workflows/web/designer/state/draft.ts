import type { z } from 'zod';
import {
  attributeType,
  distributeType,
  fieldAccess,
  onEmpty,
  onSelf,
  rejectRule,
  type StateKind,
} from '../../../engine/codes.ts';
import {
  asksPeople,
  type Definition,
  type Draft as DraftSchema,
  type State,
  type Transition,
} from '../../../engine/definition.ts';
import { kindNames } from '../../words.ts';
import type { Point, Positions } from '../../graph/route/route.ts';

/** A definition being designed, which need not make sense yet. */
export type Draft = Definition;
/** The same as the calls take it. */
export type DraftInput = z.input<typeof DraftSchema>;
/** Free numbers for new parts; those of removed parts are never reused. */
export interface NextIds {
  state: number;
  transition: number;
  field: number;
}

export const inputOf = (draft: Draft): DraftInput => draft as z.output<typeof DraftSchema>;

/** The next free numbers of a draft, never below the server's. */
export function nextIds(draft: Draft, kept: NextIds): NextIds {
  const after = (parts: readonly { id: number }[]) => Math.max(0, ...parts.map((part) => part.id)) + 1;
  return {
    state: Math.max(kept.state, after(draft.states)),
    transition: Math.max(kept.transition, after(draft.transitions)),
    field: Math.max(kept.field, after(draft.fields)),
  };
}

/** A name that no part has yet: `审批`, `审批 2`, … */
export function freeName(parts: readonly { name: string }[], wish: string): string {
  const taken = new Set(parts.map((part) => part.name));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wish : `${wish} ${n}`;
    if (!taken.has(name)) return name;
  }
}

export function newState(draft: Draft, id: number, kind: StateKind, at: Point): State {
  const seen = kind === 'start' ? fieldAccess.optional : fieldAccess.read;
  return {
    id,
    key: `state_${id}`,
    name: freeName(draft.states, kindNames[kind]),
    kind,
    order: Math.max(0, ...draft.states.map((state) => state.order)) + 1,
    hidden: false,
    participants: [],
    distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
    // Work may be done by the applicant; approval is never one's own unless explicitly allowed.
    on_self: kind === 'approve' ? onSelf.superior : onSelf.asUsual,
    on_empty: onEmpty.refuse,
    on_empty_users: [],
    several_seats: false,
    dedupe: 'none',
    remember_last: false,
    access: kind === 'end' ? {} : Object.fromEntries(draft.fields.map((field) => [field.key, seen])),
    actions: asksPeople({ kind }) ? ['deliver', 'add_node', 'return', 'cc'] : [],
    timeout: null,
    waits: false,
    label: { x: Math.round(at.x), y: Math.round(at.y) },
  };
}

/** A new button between two states, with its usual name. */
export function newTransition(draft: Draft, id: number, source: State, destination: State): Transition {
  const back = destination.kind === 'start' || reaches(draft, destination.id, source.id);
  const refuses = source.kind === 'approve' && back;
  const saves = source.kind === 'start' && source.id === destination.id;
  const wish = saves
    ? '保存'
    : refuses
      ? '拒绝'
      : { start: '提交', approve: '同意', handle: back ? '退回' : '完成' }[source.kind as string];
  const siblings = draft.transitions.filter((one) => one.source === source.id);
  return {
    id,
    key: `transition_${id}`,
    name: freeName(siblings, wish ?? '继续'),
    source: source.id,
    destination: destination.id,
    attribute: refuses ? attributeType.refuse : saves || back ? attributeType.other : attributeType.agree,
    conditions: [],
    otherwise: false,
    field_require_check: !back && !saves,
    alert_enable: false,
    alert_text: '',
    suggestion_required: refuses,
    timer: 0,
    timer_working_time: false,
  };
}

/** True if a ticket can get from one state to another in the present draft. */
function reaches(draft: Draft, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    for (const { source, destination, conditions } of draft.transitions) {
      if (source !== id) continue;
      for (const next of [destination, ...conditions.map((branch) => branch.target_state_id)]) seen.add(next);
    }
  }
  return from !== to && seen.has(to);
}

/** The states' positions, stored in their labels; null if one of them has none. */
export function positionsOf(draft: Draft): Positions | null {
  const found = new Map<number, Point>();
  for (const { id, label } of draft.states) {
    if (typeof label['x'] !== 'number' || typeof label['y'] !== 'number') return null;
    found.set(id, { x: label['x'], y: label['y'] });
  }
  return found;
}
