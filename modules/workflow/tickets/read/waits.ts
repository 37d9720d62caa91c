import { asc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { unsentOf, type Unsent } from '#modules/platform/deliveries/service.ts';
import { calledBy, stateOf, timerOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Detail } from '../contract/shapes.ts';
import { draftChildren, type Stay } from '../automation/children.ts';
import { awaits } from '../engine/people/awaiting.ts';
import type { Rights } from '../engine/ways/offers.ts';
import { whyStalled } from '../engine/stalling.ts';
import { dutiesOf, isOver, type Token } from '../engine/state.ts';
import { moment, type Stored } from '../store/store.ts';
import { ticketInquiryTable } from '../tables/inquiry.ts';

/**
 * Obstacles a ticket waits for other than people, and failed calls to other systems, as sentences. Queries the database only if its workflow calls systems
 * or it waits for tickets below. The text of a failure is only for those who may intervene.
 */
export async function waitsOf(
  tx: Db,
  stored: Stored & { rights: Rights },
): Promise<Pick<Detail, 'waits' | 'troubles'>> {
  const { id, state, version, clocks, rights } = stored;
  const { definition } = version;
  const calls = definition.states.some((one) => calledBy(one).length > 0);
  const unsent = calls ? await unsentOf(tx, { module: 'tickets', objectId: id }) : [];
  const living = isOver(state) ? [] : state.tokens.filter((token) => token.status !== 'done');
  const inquired = living.some((token) => awaits(definition, state, token)) ? await inquiriesOf(tx, id) : [];
  const waitsForChildren = living.some((token) => stateOf(definition, token.state_id).kind === 'subticket');
  const drafts = waitsForChildren ? await draftChildren(tx, id) : [];
  const waits = living.flatMap((token): Detail['waits'] => {
    const { id: state_id, name: state_name } = stateOf(definition, token.state_id);
    const key = inquired.findLast((one) => one.token_no === token.no && one.visit === token.visit)?.delivery_key;
    const call = unsent.find((one) => one.key === key);
    const stalled = whyStalled(state, token);
    const held = stalled === null ? null : `${stalled}，等流程管理员处理`;
    const why = held ?? whyHeld(stored, token, key === null, call) ?? whyNotYet(drafts, token);
    const next = nextOf(definition, stored, token);
    const timer = clocks.get(token.no)?.timer ?? null;
    const until = next === null || timer === null || state.suspended ? null : moment(timer);
    return why === null && until === null ? [] : [{ state_id, state_name, why: why ?? '', until, next: next ?? '' }];
  });
  const isCall = new RegExp(`^ticket:${id}:state:`);
  const failed = unsent.filter((one) => one.tries > 0 && isCall.test(one.key));
  const troubles = failed.map((one) => `${one.title}：${troubleOf(one)}${rights.intervene ? `（${one.answer}）` : ''}`);
  return { waits, troubles };
}

async function inquiriesOf(tx: Db, ticket: number) {
  const { token_no, visit, delivery_key, id } = ticketInquiryTable;
  return tx
    .select({ token_no, visit, delivery_key })
    .from(ticketInquiryTable)
    .where(eq(ticketInquiryTable.ticket_id, ticket))
    .orderBy(asc(id));
}

/** Why a token stays although nobody has a task there, or none that can be done; null if its people are awaited. */
function whyHeld(stored: Stored, token: Token, deaf: boolean, call: Unsent | undefined): string | null {
  const { state, version, below } = stored;
  const { kind } = stateOf(version.definition, token.state_id);
  if (token.status === 'waiting_join') return kind === 'join' ? '等其他分支办完' : null;
  const wanted = awaits(version.definition, state, token);
  if (wanted) {
    const what = wanted === 'result' ? '等外部系统办完' : '等外部系统给出办理人';
    return deaf ? `${what}：通知方式已停用，没有发出` : call ? `${what}：${troubleOf(call)}` : what;
  }
  if (kind === 'delay') return '等时间到';
  return below.includes(token.state_id) ? '等下级工单办结' : null;
}

/** The drafts that keep a token from going on by itself; null if there are none. */
function whyNotYet(drafts: readonly ({ sn: string } & Stay)[], { no, visit, status }: Token): string | null {
  const own = drafts.filter((draft) => draft.token === no && draft.visit === visit && status === 'active');
  const here = own.map((draft) => draft.sn);
  return here.length > 0 ? `下级工单 ${here.join('、')} 还是草稿：提交或删除草稿，或由办理人点按钮继续` : null;
}

/** The effect of its deadline or timer; null if none runs. */
function nextOf(definition: Definition, { state }: Stored, token: Token): string | null {
  if (token.status !== 'active') return null;
  if (awaits(definition, state, token) === 'people') return '改由流程指定的人处理';
  const timer = timerOf(definition, token.state_id);
  return timer ? `自动“${timer.name}”` : null;
}

function troubleOf({ state, tries }: Unsent): string {
  if (state === 'given_up') return `试了 ${tries} 次都没有送达，不再重试`;
  return tries === 0 ? '正在发出' : `试了 ${tries} 次还没有送达，会再试`;
}

/** States below which the reader may start tickets now. */
export function startsChildren({ state, version }: Stored, person: number): Detail['start_below'] {
  if (state.suspended) return [];
  const ids = new Set(dutiesOf(state, person).flatMap((task) => (task.pooled ? [] : task.state_id)));
  return [...ids]
    .map((id) => stateOf(version.definition, id))
    .filter((one) => one.kind === 'subticket')
    .map((one) => ({ state_id: one.id, state_name: one.name }));
}
