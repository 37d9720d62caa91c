import { actState, attributeType } from '#modules/workflows/engine/codes.ts';
import { exitsOf, isSave, startOf, type Definition, type Transition } from '#modules/workflows/engine/definition.ts';
import type { Offered } from '#modules/workflows/contract/shapes.ts';
import { dutiesOf, isOver, type TicketState } from './state.ts';

/** Something a person may do with a ticket now. */
export interface Offer {
  action: 'create' | 'handle' | 'accept' | 'delete';
  code: Offered['code'];
  /** The task it decides; null where it is none. */
  task_no: number | null;
  state_id: number | null;
  transition: Transition | null;
}

/**
 * All a person may do now. `decide` takes a command only if it is in this list, so what `transitions` answers and what the
 * server does cannot differ. For a ticket that is not created yet: the buttons of the start state, for its creator.
 */
export function offered(definition: Definition, ticket: TicketState, person: number): Offer[] {
  if (isOver(ticket)) return [];
  if (ticket.seq === 0)
    return person === ticket.creator ? buttons(definition, 'create', startOf(definition).id, null) : [];
  const active = new Set(ticket.tokens.filter((token) => token.status === 'active').map((token) => token.no));
  const offers = dutiesOf(ticket, person)
    .filter((task) => active.has(task.token))
    .flatMap((task): Offer[] =>
      task.pooled
        ? [{ action: 'accept', code: 'accept', task_no: task.no, state_id: task.state_id, transition: null }]
        : buttons(definition, 'handle', task.state_id, task.no),
    );
  const withCreator: readonly number[] = [actState.draft, actState.returned, actState.withdrawn];
  if (person === ticket.creator && withCreator.includes(ticket.act_state)) {
    offers.push({ action: 'delete', code: 'delete', task_no: null, state_id: null, transition: null });
  }
  return offers;
}

function buttons(definition: Definition, action: 'create' | 'handle', stateId: number, task: number | null): Offer[] {
  return exitsOf(definition, stateId).map((transition) => ({
    action,
    code: codeOf(definition, transition),
    task_no: task,
    state_id: stateId,
    transition,
  }));
}

function codeOf(definition: Definition, transition: Transition): Offered['code'] {
  if (isSave(definition, transition)) return 'save';
  if (transition.source === startOf(definition).id) return 'submit';
  if (transition.attribute === attributeType.agree) return 'approve';
  return transition.attribute === attributeType.refuse ? 'refuse' : 'other';
}

/** The codes of a row's `actions`, each once. */
export function codesOf(offers: readonly Offer[]): Offered['code'][] {
  return [...new Set(offers.map((offer) => offer.code))];
}

const titles: Partial<Record<Offered['code'], string>> = { accept: '接单', delete: '删除' };

/** An offer as `transitions` answers it. */
export function toWire({ code, task_no, state_id, transition }: Offer): Offered {
  return {
    code,
    transition_id: transition?.id ?? null,
    transition_name: transition?.name ?? titles[code] ?? '',
    task_no,
    state_id,
    attribute_type_id: transition?.attribute ?? attributeType.other,
    field_require_check: transition?.field_require_check ?? false,
    is_accept: code === 'accept',
    in_add_node: false,
    alert_enable: transition?.alert_enable ?? code === 'delete',
    alert_text: transition?.alert_text ?? (code === 'delete' ? '删除后不能恢复，确定吗？' : ''),
    suggestion_required: transition !== null && code !== 'save' && needsWords(transition),
    target: 'none',
    states: [],
    added: [],
    resubmit_mode: null,
  };
}

/** Refusals always need words. */
export function needsWords(transition: Transition): boolean {
  return transition.suggestion_required || transition.attribute === attributeType.refuse;
}
