import { participantType } from '#modules/workflows/engine/codes.ts';
import type { Participant, State } from '#modules/workflows/engine/definition.ts';
import type { TicketState } from '../state.ts';

/**
 * A question to the organisation, answered with ids of active people (left, disabled and unknown ones are left out):
 * `user` an id · `username` a name · `dept` members of a department id · `dept_there` the id itself where there is such a department · `role` members of a role code · `dept_head` a department's
 * approvers, its head where it has none · `dept_fzr` its head · `dept_ld` its leaders in charge · `dept_secretary` its secretaries
 * (all by department id) · `superior` whoever stands above a person id, `stand_in` whoever stands in for one · `xld` school leaders ·
 * `workflow_admins` this workflow's, besides a person id where there are others ·
 * `parent_field` whom a field of the ticket above names, by its key.
 */
export interface PeopleQuery {
  kind:
    | 'user'
    | 'username'
    | 'dept'
    | 'dept_there'
    | 'role'
    | 'dept_head'
    | 'dept_fzr'
    | 'dept_ld'
    | 'dept_secretary'
    | 'superior'
    | 'stand_in'
    | 'xld'
    | 'workflow_admins'
    | 'parent_field';
  of: number | string | null;
}
export type Answers = Readonly<Record<string, readonly number[]>>;

export function queryKey(query: PeopleQuery): string {
  return `${query.kind}:${query.of ?? ''}`;
}

/** Thrown inside the core when an answer is not there yet; `decide` turns it into `asks`. */
export class Unanswered extends Error {
  readonly queries: PeopleQuery[];
  constructor(queries: PeopleQuery[]) {
    super('people queries are unanswered');
    this.queries = queries;
  }
}

/** The people all queries name together, each once, in the order asked. Throws `Unanswered` with every query still open. */
export function ask(answers: Answers, queries: readonly PeopleQuery[]): number[] {
  const open = new Map(
    queries.filter((query) => !Object.hasOwn(answers, queryKey(query))).map((query) => [queryKey(query), query]),
  );
  if (open.size > 0) throw new Unanswered([...open.values()]);
  return [...new Set(queries.flatMap((query) => answers[queryKey(query)] ?? []))];
}

/** Whom a state asks by its own words, before rules about oneself, repetition or nobody. */
export function whoIsAsked(state: State, ticket: TicketState, answers: Answers): number[] {
  return ask(
    answers,
    state.participants.flatMap((participant) => queriesOf(participant, state, ticket)),
  );
}

function queriesOf(participant: Participant, state: State, ticket: TicketState): PeopleQuery[] {
  const names = (value: unknown) => [value].flat().filter((name) => typeof name === 'string');
  const asUsers = (value: unknown): PeopleQuery[] => names(value).map((of) => ({ kind: 'username', of }));
  switch (participant.type) {
    case participantType.user:
      return [{ kind: 'user', of: participant.user }];
    case participantType.users:
      return participant.users.map((of) => ({ kind: 'user', of }));
    case participantType.dept:
      return participant.depts.map((of) => ({ kind: 'dept', of }));
    case participantType.role:
      return participant.roles.map((of) => ({ kind: 'role', of }));
    case participantType.field:
      return asUsers(ticket.form[participant.field]);
    case participantType.fieldHeads:
      return [ticket.form[participant.field] ?? []].flat().map((of) => ({ kind: 'dept_head', of: Number(of) }));
    case participantType.variable: {
      const { variable } = participant;
      if (variable === 'creator') return [{ kind: 'user', of: ticket.creator }];
      if (variable === 'creator_select' || variable === 'handler_select') return asUsers(ticket.chosen[state.id] ?? []);
      if (variable === 'xld') return [{ kind: 'xld', of: null }];
      if (ticket.creator_dept === null) return [];
      const kinds = {
        creator_head: 'dept_head',
        dept_fzr: 'dept_fzr',
        dept_ld: 'dept_ld',
        secretary: 'dept_secretary',
      } as const;
      return [{ kind: kinds[variable], of: ticket.creator_dept }];
    }
    case participantType.parentField:
      return [{ kind: 'parent_field', of: participant.field }];
    case participantType.external:
      return asUsers(ticket.chosen[state.id] ?? []);
    case participantType.none:
      return [];
    default:
      throw new Error(`participants of type ${participant.type} cannot be resolved yet`);
  }
}
