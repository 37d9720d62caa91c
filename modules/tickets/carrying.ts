import { and, eq, inArray, sql } from 'drizzle-orm';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import { alone } from './alone.ts';
import { draftsBelow } from './below.ts';
import { decided, type Deed } from './deciding.ts';
import { decide, isTalk, proceed } from './engine/decide.ts';
import type { Happening } from './engine/happening.ts';
import { noRights, type Rights } from './engine/offers.ts';
import { isOver, type TicketState } from './engine/state.ts';
import { creatorFacts } from './facts.ts';
import type { Outcome } from './parts.ts';
import type { Proxy } from './proxy.ts';
import { follow } from './records.ts';
import { load, update, type Stored } from './store.ts';
import { ticketTable } from './tables.ts';
import { spread } from './telling.ts';

interface Told {
  /** Null for the system. */
  actor: { id: number; alias: string } | null;
  suggestion: string;
  mentioned?: readonly number[];
  /** Leaves the version others have read as it is. */
  talk: boolean;
}

/** Carries a decision out: writes it, tells people, and lets the tickets below feel it. The caller holds the row's lock. */
export async function carry(tx: Db, stored: Stored, outcome: Outcome, told: Told): Promise<void> {
  const { before, state, log, creatorName } = outcome;
  await update(tx, stored, outcome, told.talk);
  await spread(tx, { ticket: stored, before, state, log, creatorName, ...told });
  await follow(tx, stored, outcome);
  if (before.act_state !== actState.closed && state.act_state === actState.closed)
    await closeBelow(tx, stored, outcome);
  await goOnAbove(tx, { ...stored, before, state }, outcome);
  if (before.suspended && !state.suspended) await goOnAfterRest(tx, stored.id, outcome);
}

/** Lets a deed be decided as if its owner did it, by the same rules; the log names who really did. Answers the ticket afterwards. */
export async function actFor(
  tx: Db,
  stored: Stored,
  owner: number,
  deed: Deed,
  { proxy, rights, definition = stored.version.definition }: { proxy: Proxy; rights: Rights; definition?: Definition },
): Promise<Stored> {
  const { state: before, version } = stored;
  const creator = await creatorFacts(tx, before.creator, before.creator_dept);
  const command = { ...deed, actor: owner };
  const about = { workflow_id: version.workflow_id, parent_ticket_id: stored.parent_ticket_id };
  const known = {
    creator,
    rights: { ...rights, below: stored.below, agents: stored.agents },
    by_itself: proxy.by === null,
  };
  const { state, log } = await decided(tx, about, known, (facts) => decide(definition, before, command, facts));
  const agent = { id: proxy.by, owner, ...(proxy.intervene === undefined ? {} : { intervene: proxy.intervene }) };
  const { origin, now } = proxy;
  const actor = proxy.by === null ? null : { id: proxy.by, alias: proxy.name };
  const suggestion = 'suggestion' in deed ? deed.suggestion : '';
  const outcome = { before, state, log, origin, creatorName: creator.alias, agent, now };
  await carry(tx, stored, outcome, { actor, suggestion, talk: isTalk(deed.type) });
  const after = await load(tx, stored.id, undefined, true);
  if (!after) throw absent('工单');
  return after;
}

/** Closes what still runs below a closed ticket, unless its workflow keeps it; drafts and what is finished stay as they are. */
async function closeBelow(tx: Db, stored: Stored, { origin, now }: Outcome): Promise<void> {
  if (stored.version.definition.settings.children_on_close === 'keep') return;
  const running = [actState.ongoing, actState.returned, actState.withdrawn];
  const below = await tx
    .select({ id: ticketTable.id })
    .from(ticketTable)
    .where(
      and(
        eq(ticketTable.parent_ticket_id, stored.id),
        inArray(ticketTable.act_state, running),
        eq(ticketTable.is_deleted, false),
      ),
    )
    .orderBy(ticketTable.id);
  for (const { id } of below) {
    const child = await load(tx, id, inArray(ticketTable.act_state, running), true);
    if (!child) continue;
    const deed = { type: 'close' as const, suggestion: `上级工单 ${stored.sn} 已关闭` };
    const given = { proxy: { by: null, name: '系统', origin, now }, rights: { intervene: true, urge_wait: 0 } };
    await actFor(tx, child, child.state.creator, deed, given);
  }
}

type When = Pick<Proxy, 'origin' | 'now'>;

/** Lets something happen to a ticket by itself. The caller holds the row's lock. */
export async function happen(tx: Db, stored: Stored, happening: Happening, { origin, now }: When): Promise<void> {
  const { state: before, version } = stored;
  const creator = await creatorFacts(tx, before.creator, before.creator_dept);
  const about = { workflow_id: version.workflow_id, parent_ticket_id: stored.parent_ticket_id };
  const { state, log } = await decided(tx, about, { creator, rights: noRights }, (facts) =>
    proceed(version.definition, before, happening, facts),
  );
  const outcome = { before, state, log, origin, creatorName: creator.alias, agent: null, now };
  const suggestion = happening.type === 'answer' ? happening.msg : '';
  await carry(tx, stored, outcome, { actor: null, suggestion, talk: false });
}

interface Child {
  parent_ticket_id: number | null;
  parent_ticket_state_id: number | null;
  before: TicketState;
  state: TicketState;
}

/**
 * When a ticket below a state is over and was the last there, no draft among them, the ticket above goes on. Where that is refused, say because nobody is
 * found for its next state, its own people still have their button. A deleted one moves nothing.
 */
export async function goOnAbove(tx: Db, child: Child, when: When): Promise<void> {
  const { parent_ticket_id: id, parent_ticket_state_id: at, before, state } = child;
  const gone = isOver(before) || before.act_state === actState.finishAsked;
  if (id === null || at === null || gone || !isOver(state) || state.deleted) return;
  const parent = await load(tx, id, undefined, true);
  if (parent) await goOnFrom(tx, parent, at, when);
}

/** What was over while a ticket rested is noticed when it is resumed. */
async function goOnAfterRest(tx: Db, id: number, when: When): Promise<void> {
  const stored = await load(tx, id, undefined, true);
  if (!stored) return;
  const { rows } = await tx.execute<{ at: number }>(sql`
    select distinct parent_ticket_state_id as at from ticket where parent_ticket_id = ${id} and parent_ticket_state_id is not null
      and not is_deleted and act_state in (4, 5)`);
  for (const { at } of rows) await goOnFrom(tx, stored, at, when);
}

async function goOnFrom(tx: Db, parent: Stored, at: number, when: When): Promise<void> {
  const token = parent.state.tokens.find((one) => one.state_id === at && one.status === 'active');
  if (!token || parent.state.suspended || isOver(parent.state) || parent.below.includes(at)) return;
  if ((await draftsBelow(tx, parent.id)).some((draft) => draft.at === at)) return;
  await alone(tx, () => happen(tx, parent, { type: 'children', token: token.no, visit: token.visit }, when)).catch(
    (stop: unknown) => {
      if (!(stop instanceof Refusal)) throw stop;
    },
  );
}
