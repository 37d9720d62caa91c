import type { Delegation } from '#modules/workflow/delegations/service.ts';
import type { InterveneType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Version } from '#modules/workflow/workflows/service.ts';
import { visibleFields, type Sight } from '../engine/fields.ts';
import { isOwn } from '../engine/four-eyes.ts';
import { noRights, offered, type Offer, type Rights } from '../engine/ways/offers.ts';
import type { LogEntry, Task, TicketState } from '../engine/state.ts';
import type { Guarded } from '../records/records.ts';

/** A person who reads or acts, with those they are a delegate for now. */
export interface Reader {
  id: number;
  delegations: readonly Delegation[];
  /** They see the ticket, but not its record: the form is hidden. */
  formClosed?: true;
}

/** A ticket as a delegate sees it: the others' tasks that the delegate may decide, with their owners. */
export interface Lent {
  state: TicketState;
  /** Task number → its owner. */
  owners: ReadonlyMap<number, number>;
}

/**
 * True if a delegate may decide an open task: not in a ticket begun by the delegate, or by anybody through whom it was passed on, so that nobody
 * approves their own or has a delegate approve it; nor in one begun by the absent person, which stays theirs.
 */
function isLent(task: Task, state: TicketState, workflowId: number, reader: Reader): boolean {
  return (
    task.status === 'todo' &&
    state.creator !== reader.id &&
    state.creator !== task.assignee &&
    reader.delegations.some(
      (one) =>
        one.principal === task.assignee &&
        !one.through.some((person) => isOwn(state, person)) &&
        (one.workflows === null || one.workflows.includes(workflowId)),
    )
  );
}

/** The ticket with the tasks lent to a reader as if they were theirs; the core's own rules then determine what may be done. */
export function lentTo(state: TicketState, workflowId: number, reader: Reader): Lent {
  const owners = new Map(
    state.tasks.filter((task) => isLent(task, state, workflowId, reader)).map((task) => [task.no, task.assignee]),
  );
  return { owners, state: owners.size === 0 ? state : heldBy(state, reader.id, (task) => owners.has(task.no)) };
}

/** The ticket for reading its form: what the reader decided as a delegate (`delegates`: task number → who) counts as theirs too. */
export function lookedAt(
  {
    state,
    version,
    delegates,
  }: { state: TicketState; version: { workflow_id: number }; delegates: ReadonlyMap<number, number> },
  reader: Reader,
): TicketState {
  const { state: lent } = lentTo(state, version.workflow_id, reader);
  return heldBy(lent, reader.id, (task) => delegates.get(task.no) === reader.id);
}

/** The part of a ticket's form that a reader sees now. */
export const sightOf = (
  stored: Parameters<typeof lookedAt>[0] & { version: { definition: Definition } },
  reader: Reader,
): Sight =>
  reader.formClosed ? new Map() : visibleFields(stored.version.definition, lookedAt(stored, reader), reader.id);

function heldBy(state: TicketState, person: number, takes: (task: Task) => boolean): TicketState {
  return { ...state, tasks: state.tasks.map((task) => (takes(task) ? { ...task, assignee: person } : task)) };
}

/** An offer with the person on whose behalf it is made; `owner` is null for the reader's own. */
export type OwnedOffer = Offer & { owner: number | null };

/** A ticket whose offers are computed: `delegates` are the delegates who decided its tasks. */
interface Offering {
  state: TicketState;
  version: Pick<Version, 'workflow_id' | 'definition'>;
  rights: Rights;
  delegates: ReadonlyMap<number, number>;
  guarded: Guarded;
}

/** A reader's actions on a ticket: their own, and those on tasks lent to them; without those its record withholds. */
export function offersTo(ticket: Offering, reader: Reader): OwnedOffer[] {
  const left = (offer: OwnedOffer) => ticket.guarded(offer, offer.owner ?? reader.id) === null;
  return offersOfFlow(ticket, reader).flatMap((offer) => {
    if (!offer.from_admin) return left(offer) ? [offer] : [];
    const choices = offer.choices.filter((no) => left(withTask(ticket.state, offer, no)));
    return choices.length > 0 ? [{ ...offer, choices }] : [];
  });
}

/** An offer on others' tasks, applied to one of them. */
export function withTask({ tasks }: TicketState, offer: OwnedOffer, no: number): OwnedOffer {
  const task = tasks.find((one) => one.no === no);
  return { ...offer, task_no: no, state_id: task?.state_id ?? null };
}

/** The flow's offers, whatever the ticket decides. */
export function offersOfFlow(
  { state, version, rights, delegates }: Omit<Offering, 'withheld'>,
  reader: Reader,
): OwnedOffer[] {
  const { definition, workflow_id } = version;
  const own = offered(definition, state, reader.id, rights).map((offer) => ({ ...offer, owner: null }));
  const lent = lentTo(state, workflow_id, reader);
  // Only actions on a lent task itself: those on the ticket as a whole stay with the absent person.
  const others =
    lent.owners.size === 0
      ? []
      : offered(definition, lent.state, reader.id, { ...noRights, below: rights.below ?? [], delegates });
  const owned = others.flatMap((offer) => {
    const owner = offer.task_no === null ? undefined : lent.owners.get(offer.task_no);
    return owner === undefined ? [] : [{ ...offer, owner }];
  });
  return [...own, ...owned, ...takingBack(state, version, reader, delegates)];
}

/** Taking back the reader's latest decision as a delegate, while they are still a delegate. */
function takingBack(
  state: TicketState,
  { definition, workflow_id }: Offering['version'],
  reader: Reader,
  delegates: Offering['delegates'],
): OwnedOffer[] {
  const { undo } = state;
  if (!undo || state.suspended || undo.actor === reader.id) return [];
  const decided = undo.tasks.some(({ no }) => {
    const task = state.tasks.find((one) => one.no === no);
    const before = task && { ...task, status: 'todo' as const };
    return (
      before?.assignee === undo.actor && delegates.get(no) === reader.id && isLent(before, state, workflow_id, reader)
    );
  });
  if (!decided) return [];
  const offer = offered(definition, state, undo.actor, noRights).find((one) => one.action === 'retreat');
  return offer ? [{ ...offer, owner: undo.actor }] : [];
}

/** The person who really acted as `owner`: a delegate, an administrator, or null for the system. */
export interface Delegate {
  id: number | null;
  owner: number;
  intervene?: InterveneType;
  /** A delegate still sees what they decided; an administrator who hands a task on does not. */
  isDelegate?: boolean;
}

/** A log row with its signature and the files of its opinion. */
export type SignedEntry = LogEntry & {
  on_behalf: number | null;
  signature: number | null;
  files: readonly number[];
  via: string;
};

/**
 * Log rows of a delegate's action: they bear the delegate's name, and the owner's as the person acted for. A handwritten signature and files belong to
 * the first row, the channel to the rows that a person made.
 */
export function signed(done: {
  log: readonly LogEntry[];
  delegate: Delegate | null;
  signature?: number | undefined;
  files?: readonly number[] | undefined;
  via?: string | undefined;
}): SignedEntry[] {
  const { log, delegate } = done;
  return log.map((entry, index) => {
    const signature = index === 0 ? (done.signature ?? null) : null;
    const files = index === 0 ? (done.files ?? []) : [];
    const via = entry.actor === null ? '' : (done.via ?? '');
    if (!delegate || entry.actor !== delegate.owner) return { ...entry, on_behalf: null, signature, files, via };
    const intervene_type = delegate.intervene ?? entry.intervene_type;
    return { ...entry, intervene_type, actor: delegate.id, on_behalf: delegate.owner, signature, files, via };
  });
}
