import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import type { Origin } from '#kernel/server/implement.ts';
import type { InterveneType } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import { decided, type Deed } from './commands.ts';
import { isTalk } from './engine/decide.ts';
import type { Rights } from './engine/offers.ts';
import { creatorFacts } from './facts.ts';
import { load, update, type Stored } from './store.ts';
import { spread } from './telling.ts';

/** Who really does it: a person, or null for the system. */
export interface Proxy {
  by: number | null;
  /** As it is told to people. */
  name: string;
  intervene?: InterveneType;
  origin: Origin;
  now: Date;
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
  await update(tx, stored, { before, state, log, origin, creatorName: creator.alias, agent, now }, isTalk(deed.type));
  const actor = proxy.by === null ? null : { id: proxy.by, alias: proxy.name };
  const suggestion = 'suggestion' in deed ? deed.suggestion : '';
  await spread(tx, { ticket: stored, before, state, log, actor, suggestion });
  const after = await load(tx, stored.id, undefined, true);
  if (!after) throw absent('工单');
  return after;
}

/** The definition with a state whose tasks may be handed over, whatever it allows its own people. */
export function handingOver(definition: Definition, stateId: number): Definition {
  const states = definition.states.map((state) =>
    state.id === stateId && !state.actions.includes('deliver')
      ? { ...state, actions: [...state.actions, 'deliver' as const] }
      : state,
  );
  return { ...definition, states };
}
