import { and, eq, inArray } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import { decided, type Deed } from './deciding.ts';
import { isTalk } from './engine/decide.ts';
import type { Rights } from './engine/offers.ts';
import { creatorFacts } from './facts.ts';
import type { Outcome } from './parts.ts';
import type { Proxy } from './proxy.ts';
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
  const { before, state, log } = outcome;
  await update(tx, stored, outcome, told.talk);
  await spread(tx, { ticket: stored, before, state, log, ...told });
  if (before.act_state !== actState.closed && state.act_state === actState.closed)
    await closeBelow(tx, stored, outcome);
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
  const { state, log } = await decided(tx, version.workflow_id, definition, before, command, { creator, rights });
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
