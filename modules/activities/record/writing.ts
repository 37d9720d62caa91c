import { absent, invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, detachAll } from '#modules/files/service.ts';
import { deptNamesById, holdersOf, workingAmong } from '#modules/people/service.ts';
import { isWithAuthor, type ColumnsOf, type Writing } from '#modules/records/service.ts';
import { requireRoom } from '#modules/rooms/service.ts';
import { beingApproved } from '#modules/records/contract.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { activities as calls } from '../contract/activities.ts';
import { notConfirmed } from '../contract/refusals.ts';
import type { ActivityInput } from '../contract/shapes.ts';
import { activityTable, type Judged } from '../tables.ts';
import { assess, besideOf, type Draft } from './assess.ts';
import { changes, sinceOf } from './changes.ts';
import { followsOf, refuseNotes, writePeople } from './people.ts';
import { activities, module, type ActivityViewer, type Stored } from './record.ts';

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

/** An activity as it would be with what was sent. */
export async function draftOf(tx: Db, sent: Sent, { user }: ActivityViewer, before: Stored | null) {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Sent;
  const start = before ? await besideOf(tx, before.id) : { undertaker: user.id, dept_id: user.depts[0] ?? null };
  const draft = { title: '', ...blank, ...before, ...start, ...given } as Draft;
  if (draft.room_id === null || draft.location) return draft;
  const room = await requireRoom(tx, draft.room_id);
  return { ...draft, location: `${room.building}${room.name}` };
}

async function refuseUnknown(tx: Db, draft: Draft, before: Stored | null): Promise<void> {
  const fresh = <K extends 'dept_id' | 'undertaker' | 'room_id' | 'safety_officer'>(key: K) =>
    draft[key] !== before?.[key] ? draft[key] : null;
  const [dept, undertaker, room] = [fresh('dept_id'), fresh('undertaker'), fresh('room_id')];
  if (dept !== null && !(await deptNamesById(tx, [dept])).has(dept)) throw absent('主办部门');
  const people = [undertaker, fresh('safety_officer')].flatMap((one) => one ?? []);
  if ((await workingAmong(tx, people)).length < new Set(people).size) throw absent('承办人或安全负责人');
  if (room !== null) await requireRoom(tx, room);
  const known = draft.leaders.length > 0 ? (await holdersOf(tx, 'xld')).map((one) => one.id) : [];
  if (draft.leaders.some((one) => !known.includes(one)))
    throw invalid([{ field: 'leaders', label: '出席校领导', msg: '只能选择校领导' }]);
  await refuseNotes(tx, draft.guests);
}

/** Judges what was sent, and refuses what is not to be sent unread. */
async function judged(
  tx: Db,
  draft: Draft,
  sent: Sent,
  viewer: ActivityViewer,
  now: Date,
  since?: (judged: Judged) => Date | undefined,
) {
  const visible = activities.visible(tx, viewer);
  let found = await assess(tx, draft, { now, visible });
  const counted = since?.(found);
  if (counted) found = await assess(tx, draft, { now, visible, since: counted });
  const { missing, warnings } = found.verdict;
  if (sent.submit && !sent.confirm && missing.length === 0 && warnings.length > 0)
    throw notConfirmed(warnings.join('；'), warnings);
  // What is kept is read by others, who may not know the activities that this person knows by name.
  return warnings.length > 0 ? assess(tx, draft, { now, since: counted }) : found;
}

/** The columns of what was written, with what the rules say of it as it is then. */
export async function columnsOf(
  tx: Db,
  sent: Sent,
  viewer: ActivityViewer,
  before: Stored | null,
  now: Date,
): Promise<Columns> {
  const draft = await draftOf(tx, sent, viewer, before);
  await refuseUnknown(tx, draft, before);
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
/** What stands in tables beside an activity: who comes, and its files. */
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

/** Asks for a change of an approved activity, or rewrites the one that came back. */
export async function change(context: Writing, row: Stored, { reason, ...sent }: BodyOf<typeof calls.again>) {
  const { tx, user, now } = context;
  const viewer = await activities.viewerOf(tx, user);
  const pending = (await changes.pendingOf(tx, [row.id])).get(row.id);
  if (pending && !isWithAuthor(pending)) throw beingApproved('活动变更');
  const draft = await draftOf(tx, sent, viewer, row);
  await refuseUnknown(tx, draft, row);
  const next = { ...row, ...draft } as unknown as Stored;
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
