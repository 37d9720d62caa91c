import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { isFor } from '#modules/workflow/workflows/engine/start-rule.ts';
import { versionToStart, type InName } from '#modules/workflow/workflows/service.ts';
import { submitting } from './beginning.ts';
import { ownFacts } from '../commands/facts.ts';
import { decideTurn, run, type Fresh, type Turn } from '../commands/run.ts';
import { cannotStart } from '../contract/refusals.ts';
import { decide, type Command } from '../engine/decide.ts';
import { newTicket } from '../engine/state.ts';
import { noRights } from '../engine/ways/offers.ts';
import { newLog } from '../store/chain.ts';
import { startedForOneMore } from '../store/started.ts';

/** Begins a ticket in the name of a person who is not present, by the rules that apply to them; the log says that nobody pressed a button. */
export async function startInName(tx: Db, asked: InName): Promise<{ id: number; sn: string }> {
  const { fresh, turn } = await begun(tx, asked);
  const { id, sn } = await run(tx, fresh, turn);
  return { id, sn };
}

/** Checks whether `startInName` would succeed; throws what would prevent it. */
export async function tryInName(tx: Db, asked: InName): Promise<void> {
  const { fresh, turn } = await begun(tx, asked);
  await decideTurn(tx, fresh, turn);
}

async function begun(tx: Db, asked: InName): Promise<{ fresh: Fresh; turn: Turn }> {
  const { workflow_id, person: id, authors, fields, suggestion, now } = asked;
  const version = await versionToStart(tx, workflow_id, null);
  if (!version) throw cannotStart('流程还没有发布、已停用，或者由其他模块发起');
  const person = await personWithRights(tx, id);
  if (!person?.active) {
    const name = (await peopleById(tx, [id])).get(id)?.alias ?? '';
    throw cannotStart(`“${name}”已离岗，请改用别人的名义`);
  }
  const user = viewerOf(person, 0);
  const dept = user.depts[0] ?? null;
  const { definition } = version;
  const creator = await ownFacts(tx, user, dept);
  const roles = [...user.roleCodes];
  if (!isFor(definition.settings.limit, { id, dept_path: creator.dept_path, roles }))
    throw cannotStart(`“${user.alias}”不在流程“${definition.name}”的发起范围内，请改用别人的名义或调整发起范围`);
  const way = submitting(definition);
  if (!way) throw absent('提交按钮');
  const state = newTicket(id, dept, authors);
  const command: Command = {
    type: 'create',
    actor: id,
    transition_id: way.id,
    suggestion,
    fields,
    choose: {},
  };
  const above = { parent_ticket_id: null, parent_ticket_state_id: null, parent_token_no: null, parent_visit: null };
  const fresh = { version, prefix: '', ...above, record: null, state, creator, end: await newLog(tx) };
  const turn: Turn = {
    decide: (known) => decide(definition, state, command, known),
    facts: { rights: noRights, by_itself: true, ...(await startedForOneMore(tx, id, version)) },
    delegate: { id: null, owner: id },
    heard: { actor: null, suggestion, talk: false },
    user,
    origin: { ip: '', userAgent: '', traceId: '' },
    now,
  };
  return { fresh, turn };
}
