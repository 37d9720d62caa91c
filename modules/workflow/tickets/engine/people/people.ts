import { participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Participant, State } from '#modules/workflow/workflows/engine/definition.ts';
import { hasVoted, type TicketState } from '../state.ts';
import { superiorsOf } from './superiors.ts';

/**
 * A question to the organisation, answered with ids of active people (left, disabled and unknown ones are left out): `user` an id · `username` a name
 * · `dept` members of a department id · `dept_there` the id itself if there is such a department · `role` members of a role code · `dept_head` a
 * department's approvers, its head if it has none · `dept_fzr` its head · `dept_ld` its leaders in charge · `dept_secretary` its secretaries (all by
 * department id) · `superior` the superior of a person id, `stand_in` a person's delegates · `xld` school leaders · `workflow_admins` this
 * workflow's, without a person id if there are others · `parent_field` people named in a field of the parent ticket, by its key · `post` holders of a
 * post · `group` members of a user group · `dept_path` ids of a department and of all above it, from below · of people, joined by commas, the one
 * with the fewest tasks (`least_loaded`), or, after the id of a state and a colon, the one whose turn it is there (`in_turn`).
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
    | 'parent_field'
    | 'post'
    | 'group'
    | 'dept_path'
    | 'least_loaded'
    | 'in_turn';
  of: number | string | null;
}
export type Answers = Readonly<Record<string, readonly number[]>>;

export function queryKey(query: PeopleQuery): string {
  return `${query.kind}:${query.of ?? ''}`;
}

/** Thrown inside the core when an answer is missing; `decide` turns it into `asks`. */
export class Unanswered extends Error {
  readonly queries: PeopleQuery[];
  /** True if the forms of earlier decisions are needed. */
  readonly forms: boolean;
  constructor(queries: PeopleQuery[], forms = false) {
    super('people queries are unanswered');
    this.queries = queries;
    this.forms = forms;
  }
}

/** The people all queries name together, each once, in the order asked. Throws `Unanswered` with every open query. */
export function ask(answers: Answers, queries: readonly PeopleQuery[]): number[] {
  const open = new Map(
    queries.filter((query) => !Object.hasOwn(answers, queryKey(query))).map((query) => [queryKey(query), query]),
  );
  if (open.size > 0) throw new Unanswered([...open.values()]);
  return [...new Set(queries.flatMap((query) => answers[queryKey(query)] ?? []))];
}

/** The people a state names, before the rules about oneself, repetition or nobody. */
export function whoIsAsked(definition: Definition, state: State, ticket: TicketState, answers: Answers): number[] {
  return ask(
    answers,
    state.participants.flatMap((participant) => queriesOf(participant, { definition, state, ticket, answers })),
  );
}

/** The people who last decided a state; for the start, the creator. */
function lastDeciders(definition: Definition, ticket: TicketState, key: string): number[] {
  const votes = votesIn(definition, ticket, key);
  if (votes === 'creator') return [ticket.creator];
  const last = votes.at(-1);
  return votes.filter((one) => one.token === last?.token && one.visit === last.visit).map((task) => task.assignee);
}

/** True if a person decided one of some states of this ticket, by their keys; for the start, if they began it or wrote it. */
export function hasDone(definition: Definition, ticket: TicketState, keys: readonly string[], person: number): boolean {
  return keys.some((key) => {
    const votes = votesIn(definition, ticket, key);
    return votes === 'creator'
      ? person === ticket.creator || ticket.authors.includes(person)
      : votes.some((task) => task.assignee === person);
  });
}

function votesIn({ states }: Definition, ticket: TicketState, key: string) {
  const state = states.find((one) => one.key === key);
  if (state?.kind === 'start') return 'creator';
  return ticket.tasks.filter((task) => task.state_id === state?.id && hasVoted(task));
}

interface About {
  definition: Definition;
  state: State;
  ticket: TicketState;
  answers: Answers;
}

function queriesOf(participant: Participant, about: About): PeopleQuery[] {
  const { definition, state, ticket, answers } = about;
  const names = (value: unknown) => [value].flat().filter((name) => typeof name === 'string');
  const asIds = (people: readonly number[]): PeopleQuery[] => people.map((of) => ({ kind: 'user', of }));
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
    case participantType.deptHeads:
      return participant.depts.map((of) => ({ kind: 'dept_head', of }));
    case participantType.superior:
    case participantType.superiors:
      return asIds(superiorsOf(participant, ticket, (queries) => ask(answers, queries)));
    case participantType.post:
      return participant.posts.map((of) => ({ kind: 'post', of }));
    case participantType.group:
      return participant.groups.map((of) => ({ kind: 'group', of }));
    case participantType.doneBy:
      return asIds(lastDeciders(definition, ticket, participant.state));
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
