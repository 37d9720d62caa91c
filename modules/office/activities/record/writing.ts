import { invalid } from '#kernel/contract/refusal.ts';
import { speaksFor } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import { deptNamesById, holdersOf, workingAmong } from '#modules/platform/people/service.ts';
import type { ColumnsOf, Writing } from '#modules/workflow/records/service.ts';
import { requireRoom } from '#modules/platform/rooms/service.ts';
import { beingApproved } from '#modules/workflow/records/contract.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { activities as calls } from '../contract/activities.ts';
import { deptOfOthers, notConfirmed } from '../contract/refusals.ts';
import type { ActivityInput } from '../contract/shapes.ts';
import { activityTable, type Judged } from '../tables.ts';
import { assess, besideOf, type Draft } from './assess.ts';
import { changes, isChangeAsked, sinceOf } from './changes.ts';
import { followsOf, refuseNotes, writePeople } from './people.ts';
import { activities, isOffice, module, type ActivityViewer, type Stored } from './record.ts';

type Sent = Partial<ActivityInput> & { submit?: boolean; confirm?: boolean };
type Columns = ColumnsOf<typeof activityTable>;
const blank = {
  type_id: null,
  is_social_science: false,
  dept_id: null,
  undertaker: null,
  phone: '',
  content: '',
  start_time: null,
  end_time: null,
  urgent_reason: '',
  location: '',
  is_online: false,
  online_platform: '',
  online_link: '',
  online_admits: '',
  in_count: null,
  out_count: null,
  has_overseas: false,
  guests: [],
  leaders: [],
  safety_plan: null,
  safety_officer: null,
  safety_phone: '',
  budget: null,
  fund_source: '',
  room_id: null,
  audience: null,
  sent_at: null,
  back_at: null,
} as const;
const beside: readonly string[] = [
  'guests',
  'leaders',
  'submit',
  'confirm',
  'suggestion',
  'choose',
  'version',
  'reason',
  'id',
];

/** Returns the activity as it would be with the sent fields. */
export async function draftOf(tx: Db, sent: Sent, { user }: ActivityViewer, before: Stored | null) {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Sent;
  const start = before ? await besideOf(tx, before.id) : { undertaker: user.id, dept_id: user.depts[0] ?? null };
  const draft = { title: '', ...blank, ...before, ...start, ...given } as Draft;
  if (draft.room_id === null || draft.location) return draft;
  const room = await requireRoom(tx, draft.room_id);
  return { ...draft, location: `${room.building}${room.name}` };
}

const parts = { undertaker: '承办人', safety_officer: '安全负责人' } as const;
/** Refuses people who have left for any part in it. */
export async function refuseGone(
  tx: Db,
  chosen: { [part in keyof typeof parts]?: number | null | undefined },
): Promise<void> {
  const named = Object.entries(chosen).flatMap(([part, id]) => (id ? [{ field: part as keyof typeof parts, id }] : []));
  const there = await workingAmong(
    tx,
    named.map((one) => one.id),
  );
  const gone = named.filter(({ id }) => !there.includes(id));
  if (gone.length > 0)
    throw invalid(gone.map(({ field }) => ({ field, label: parts[field], msg: '所选人员已离岗或不存在，请重新选择' })));
}

async function refuseUnknown(
  tx: Db,
  draft: Draft,
  { user, heads }: ActivityViewer,
  before: Stored | null,
): Promise<void> {
  const { start_time: start, end_time: end } = draft;
  if (start && end && end <= start)
    throw invalid([
      { field: 'end_time', label: '结束时间', msg: `${end.slice(0, 16)} 不晚于开始时间 ${start.slice(0, 16)}，请核对` },
    ]);
  const fresh = <K extends 'dept_id' | 'undertaker' | 'room_id' | 'safety_officer'>(key: K) =>
    draft[key] !== before?.[key] ? draft[key] : null;
  const [dept, undertaker, room] = [fresh('dept_id'), fresh('undertaker'), fresh('room_id')];
  if (dept !== null && !(await deptNamesById(tx, [dept])).has(dept))
    throw invalid([{ field: 'dept_id', label: '主办部门', msg: '已撤销或不存在，请重新选择' }]);
  const reached = scopeOf(user, 'Create', 'activity/declare');
  if (dept !== null && !heads.includes(dept) && !isOffice(user) && !speaksFor(user, dept, reached))
    throw invalid([{ field: 'dept_id', label: '主办部门', msg: deptOfOthers }]);
  await refuseGone(tx, { undertaker, safety_officer: fresh('safety_officer') });
  if (room !== null) await requireRoom(tx, room);
  const known = draft.leaders.length > 0 ? (await holdersOf(tx, 'xld')).map((one) => one.id) : [];
  if (draft.leaders.some((one) => !known.includes(one)))
    throw invalid([
      { field: 'leaders', label: '出席校领导', msg: '所选人员中有人不是在职的校领导，请从校领导中重新选择' },
    ]);
  await refuseNotes(tx, draft.guests);
}

/** Judges the sent fields, and refuses those whose warnings were not confirmed. */
async function judged(
  tx: Db,
  draft: Draft,
  sent: Sent,
  viewer: ActivityViewer,
  now: Date,
  since?: (judged: Judged) => Date | undefined,
) {
  const visible = activities.visible(tx, viewer);
  const { id: person } = viewer.user;
  let found = await assess(tx, draft, { now, visible, person });
  const counted = since?.(found);
  if (counted) found = await assess(tx, draft, { now, visible, person, since: counted });
  const { missing, warnings } = found.verdict;
  if (sent.submit && !sent.confirm && missing.length === 0 && warnings.length > 0)
    throw notConfirmed(warnings.join('；'), warnings);
  // Others read the stored verdict, and they may not know the activities that this person knows by name.
  return warnings.length > 0 ? assess(tx, draft, { now, since: counted }) : found;
}

/** The columns to write, with the verdict of the rules at this moment. */
export async function columnsOf(
  tx: Db,
  sent: Sent,
  viewer: ActivityViewer,
  before: Stored | null,
  now: Date,
): Promise<Columns> {
  const draft = await draftOf(tx, sent, viewer, before);
  await refuseUnknown(tx, draft, viewer, before);
  const own = Object.entries(draft).filter(([key]) => key in sent || (!before && key in blank) || key === 'location');
  const columns = Object.fromEntries(own.filter(([key]) => !beside.includes(key))) as Columns;
  const found = await judged(tx, draft, sent, viewer, now);
  return { ...columns, ...followsOf(draft.guests), judged: found, urgent: found.verdict.urgent };
}

const filesOf = ({ safety_plan, poster, attachments }: Pick<Stored, 'safety_plan' | 'poster' | 'attachments'>) => [
  ...poster,
  ...attachments,
  ...(safety_plan === null ? [] : [safety_plan]),
];
/** Writes the related tables of an activity: people and files. */
export async function writeBeside(
  tx: Db,
  row: Stored,
  sent: Sent,
  { user }: ActivityViewer,
  before: Stored | null,
): Promise<void> {
  await writePeople(tx, row.id, sent);
  const [held, had] = [filesOf(row), before ? filesOf(before) : []];
  await detachAll(tx, { fileIds: had.filter((one) => !held.includes(one)), module, recordId: row.id });
  await attachAll(tx, { fileIds: held.filter((one) => !had.includes(one)), module, recordId: row.id, user });
}

/** Asks for a change of an approved activity, or rewrites a returned one. */
export async function change(context: Writing, row: Stored, { reason, ...sent }: BodyOf<typeof calls.again>) {
  const { tx, user, now } = context;
  const viewer = await activities.viewerOf(tx, user);
  const pending = (await changes.pendingOf(tx, [row.id])).get(row.id);
  if (isChangeAsked(pending)) throw beingApproved('活动变更');
  const draft = await draftOf(tx, sent, viewer, row);
  await refuseUnknown(tx, draft, viewer, row);
  const next = { ...row, ...draft };
  const found = await judged(tx, draft, sent, viewer, now, ({ verdict }) => sinceOf(next, row, verdict.foreign));
  const fields = Object.keys(draft).filter(
    (key) => key === 'guests' || key === 'leaders' || (key in sent && !beside.includes(key)),
  );
  const wanted = Object.fromEntries([...fields, 'location'].map((key) => [key, draft[key as keyof Draft]]));
  await attachAll(tx, {
    fileIds: filesOf(next).filter((one) => !filesOf(row).includes(one)),
    module,
    recordId: row.id,
    user,
  });
  const words = [
    reason || '活动变更',
    { submit: sent.submit, suggestion: sent.suggestion, choose: sent.choose },
    { judged: found },
  ] as const;
  if (pending)
    return changes.rewrite(context, await changes.requireToWrite(context, viewer, pending.id, {}), wanted, ...words);
  return changes.propose(context, row, wanted, ...words);
}
