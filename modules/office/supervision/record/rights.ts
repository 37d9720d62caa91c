import { houseNow } from '#kernel/server/process/clock.ts';
import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { daysLater, momentOf } from '#kernel/contract/moment.ts';
import { itemState, labelOf, leadersLevel, subState } from '../contract/codes.ts';
import { notAllowed, notBoth, ownReport } from '../contract/refusals.ts';
import type { SuperviseRules } from '../contract/rules.ts';
import { subTable } from '../tables.ts';
import { clockOf } from './lights.ts';
import { didSub, requireItem, type Asker, type Item, type Sub } from './visibility.ts';

/** The roles of a person in an item. */
export interface Part {
  supervises: boolean;
  leads: boolean;
  creates: boolean;
  /** Belongs to the leading department, or owns the item. */
  heads: boolean;
  owns: boolean;
}
type Ids = readonly number[];
/** The people of an item; they are unknown to those who see it only because it is public. */
type Involved = Pick<Item, 'lead_dept' | 'owner' | 'level' | 'leader'> &
  Record<'supervisor' | 'creator_id', number | null>;

export function partOf({ user, ids, heads, chuli }: Asker, item: Involved): Part {
  const scoped = chuli.all || (item.lead_dept !== null && chuli.depts.has(item.lead_dept));
  const owns = item.owner !== null && ids.includes(item.owner);
  // A supervisor of an urgent item cannot also act as its leader, even when standing in for the leader.
  const apart = item.level >= leadersLevel && item.supervisor === user.id;
  return {
    supervises: (item.supervisor !== null && ids.includes(item.supervisor)) || scoped,
    leads: item.leader !== null && (item.leader === user.id || (!apart && ids.includes(item.leader))),
    creates: item.creator_id === user.id,
    heads: owns || (item.lead_dept !== null && heads.includes(item.lead_dept)),
    owns,
  };
}

/** True if the leader decides in place of the supervisor. */
export const leaderDecides = (item: Item, rule: SuperviseRules): boolean =>
  rule.level3_leader && item.level >= leadersLevel && item.leader !== null;

/** Refuses an item whose supervisor is also the leader who decides. */
export function refuseBoth(item: Item, rule: SuperviseRules): void {
  if (item.supervisor === item.leader && leaderDecides(item, rule)) throw notBoth(item.title);
}

const names = {
  update: ['修改', '督办人或批示领导'],
  delete: ['删除', '起草人或督办人'],
  drop: ['删除子任务', '起草人或督办人'],
  add_sub: ['新增子任务', '督办人'],
  issue: ['交办', '督办人'],
  apply_finish: ['申请办结', '主办部门负责人或责任人'],
  finish: ['办结', '督办人、批示领导（承办的人除外）'],
  terminate: ['终止', '督办人或批示领导（紧急事项由批示领导；承办的人除外）'],
  reopen: ['回头看', '督办人或批示领导，办结一年内'],
  sheet: ['下发督办单', '督办人或批示领导'],
  speak: ['发表意见', '参与督办的人'],
  report: ['反馈进展', '责任人或协办人'],
  check: ['审核进展', '督办人或批示领导'],
  cancel: ['取消子任务', '督办人（承办的人除外）'],
  hand_on: ['更换责任人', '督办人或承办部门负责人'],
  extend: ['申请延期', '责任人或承办部门负责人'],
  object: ['提出异议', '责任人或承办部门负责人'],
  reassign: ['申请改派', '责任人或承办部门负责人'],
  decide: ['决定申请', '督办人（紧急事项的延期由批示领导）'],
  withdraw: ['撤回申请', '申请人'],
  receive: ['签收督办单', '责任人或承办部门负责人'],
  instruct: ['批示', '批示领导'],
  guide: ['发表督办意见或催办', '督办人或批示领导'],
  move_due: ['调整时限', '督办人（紧急事项由批示领导；承办的人除外）'],
  rank: ['调整紧急事项的级别和批示领导', '批示领导'],
} as const;
export type Action = keyof typeof names;

/** The acts open on an item now. `inside`: the viewer has a part in it; `did`: the viewer does or did one of its parts. */
export function itemActions(item: Item, part: Part, rule: SuperviseRules, inside: boolean, did: boolean): Action[] {
  const at = item.status;
  const { draft, running, applied, finished } = itemState;
  const { supervises, leads, creates, heads, owns } = part;
  const rules = supervises || leads;
  const open = at === running || at === applied;
  const yearAgo = daysLater(houseNow(), -366);
  const may: Partial<Record<Action, boolean>> = {
    update: at === draft ? creates || supervises : open && rules,
    delete: at === draft && (creates || supervises),
    add_sub: at === draft ? creates || supervises : at === running && supervises,
    issue: at === draft && supervises,
    apply_finish: at === running && heads,
    finish: !owns && !did && ((at === applied && rules) || (at === running && leads)),
    terminate: open && !owns && !did && (leads || (supervises && !leaderDecides(item, rule))),
    reopen: at === finished && rules && momentOf(item.finish_at!) > yearAgo,
    sheet: open && rules,
    speak: at > draft && (inside || rules),
  };
  return allowed(may);
}

/** The acts open on a part now. */
export function subActions(item: Item, sub: Sub, asker: Asker, part: Part): Action[] {
  const { ids, heads } = asker;
  const at = sub.status;
  const { issued, running, toCheck, returned } = subState;
  const works = ids.includes(sub.owner) || sub.co_users.some((id) => ids.includes(id));
  const answers = ids.includes(sub.owner) || heads.includes(sub.dept);
  const draft = item.status === itemState.draft;
  const open = item.status === itemState.running && at !== subState.finished && at !== subState.cancelled;
  const asks = open && at !== toCheck && answers;
  const may: Partial<Record<Action, boolean>> = {
    update: draft ? part.creates || part.supervises : open && part.supervises,
    drop: draft && (part.creates || part.supervises),
    hand_on: open && at !== toCheck && (part.supervises || heads.includes(sub.dept)),
    report: open && works && [issued, running, returned].includes(at as 0),
    check: (part.supervises || part.leads) && !barred(item, sub, ids),
    cancel: open && part.supervises && !barred(item, sub, ids),
    extend: asks,
    object: asks && (at === issued || at === running),
    reassign: asks,
    receive: answers,
  };
  return allowed(may);
}
const allowed = (may: Partial<Record<Action, boolean>>): Action[] =>
  Object.entries(may).flatMap(([action, holds]) => (holds ? [action as Action] : []));

/** True if the person does the part or owns the item: they may not check it, neither for themselves nor in another's place. */
export const barred = (item: Item, sub: Sub, ids: Ids, reporters: readonly (number | null)[] = []): boolean =>
  [item.owner, sub.owner, ...sub.co_users, ...reporters].some((id) => id !== null && ids.includes(id));

/** Refuses an act that is not open, naming who may do it. */
export function demand(actions: readonly Action[], action: Action, of: Item | Sub): void {
  if (actions.includes(action)) return;
  const states = 'sn' in of ? itemState.names : subState.names;
  const [act, who] = names[action];
  throw notAllowed(`“${of.title}”`, labelOf(states, of.status), act, who);
}
/** The same for a check; says so if it is refused because the person checks their own work. */
export function demandCheck(
  item: Item,
  sub: Sub,
  asker: Asker,
  part: Part,
  reporters: readonly (number | null)[],
): void {
  if (barred(item, sub, asker.ids, reporters)) throw ownReport(`“${sub.title}”`);
  demand(subActions(item, sub, asker, part), 'check', sub);
}

/** The person in whose place the user acts; null if in their own right. */
export const actsFor = ({ user, ids }: Asker, entitled: readonly (number | null)[]): number | null =>
  entitled.includes(user.id) ? null : (ids.find((id) => id !== user.id && entitled.includes(id)) ?? null);

/** Locks an item with its parts, and computes what the user may do with it. */
export async function openItem(tx: Db, asker: Asker, id: number) {
  const found = await requireItem(tx, asker, id, true);
  const { search: _search, ...item } = found.item;
  const rule = await clockOf(tx);
  const part = partOf(asker, item);
  const rows = await tx
    .select({ sub: subTable, did: sql<boolean>`${didSub(asker)}` })
    .from(subTable)
    .where(eq(subTable.supervise_id, id))
    .orderBy(asc(subTable.id));
  const did = rows.some((row) => row.did);
  const actions = itemActions(item, part, rule, found.whole || found.own, did);
  return { item, subs: rows.map(({ sub }) => sub), part, rule, actions };
}
