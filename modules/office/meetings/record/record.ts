import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { dropYear, momentText } from '#kernel/contract/moment.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { within } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holdersOf, peopleById } from '#modules/platform/people/service.ts';
import {
  changesOf,
  flowByKey,
  heldBy,
  isThrough,
  record,
  saidWith,
  undoing,
  type ApprovalRecord,
  type RecordEvent,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { approves, managersOf, requireRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { materialsFor, meetMode, meetStatus, meetType, signMode, substituteState } from '../contract/codes.ts';
import { alreadyBegun, useCancel } from '../contract/refusals.ts';
import { MeetInput } from '../contract/shapes.ts';
import { seriesTurned } from '../repeats/series.ts';
import { changeTable, guestTable, meetTable, topicTable } from '../tables.ts';
import { invite } from '../acts/people.ts';
import { withdrawFromLeaders } from '../acts/leaders.ts';
import { told } from '../acts/told.ts';
import { asksBeyond } from './calling.ts';
import {
  byCreator,
  freeSlot,
  freeWanted,
  keepSlot,
  module,
  roomNames,
  settleWanted,
  takeSlot,
  takeWanted,
} from './slot.ts';

export { module };
export const managePage = 'meet/manage';
export type Meet = RowOf<typeof meetTable>;
const m = meetTable;

/** Condition: the person runs it, is invited, or substitutes. */
export const takesPart = ({ id }: Pick<Viewer, 'id'>): SQL =>
  or(
    eq(m.creator_id, id),
    eq(m.host_id, id),
    eq(m.recorder_id, id),
    eq(m.contact_id, id),
    sql`exists (select from meet_attendee a where a.meet_id = ${m.id} and (a.user_id = ${id} or a.substitute_id = ${id} and a.substitute_state < ${inSql(substituteState.declines)}))`,
  )!;
/** Condition: the person manages the room it is in. */
export const keepsRoom = ({ id }: Pick<Viewer, 'id'>): SQL =>
  sql`exists (select from meet_room r join meet_office o on o.id = r.office_id
    where r.id = ${m.room_id} and (${id} = any(r.managers) or ${id} = any(o.managers)))`;
/** Condition: the user belongs to the meeting's office: that of its room, or those who handle meetings of its department. */
export const ofOffice = (user: Viewer): SQL =>
  holds(user, 'chuli', managePage)
    ? or(keepsRoom(user), within(scopeOf(user, 'chuli', managePage), m.dept_id, sql`false`))!
    : keepsRoom(user);
/** Condition: the user decides its time, and it has not begun. */
export const movableBy = (user: Viewer): SQL<boolean> =>
  sql<boolean>`coalesce(${m.act_state} = ${inSql(actState.finished)} and ${m.meet_status} = ${inSql(meetStatus.coming)} and ${m.start_time} > now()
    and (${m.creator_id} = ${user.id} or ${ofOffice(user)}), false)`;
export const isOfOffice = async (tx: Db, user: Viewer, id: number): Promise<boolean> =>
  (await tx.$count(m, and(eq(m.id, id), ofOffice(user)))) > 0;
/** True for its creator, host, recorder and contact. */
export const runsIt = (row: Meet, { id }: Pick<Viewer, 'id'>): boolean =>
  [row.creator_id, row.host_id, row.recorder_id, row.contact_id].includes(id);
/** Rights of the user: to decide time, place and people (`leads`), and to cancel. */
export const leadsIt = (row: Meet, { id }: Pick<Viewer, 'id'>, office: boolean) => {
  const leads = office || row.creator_id === id;
  return { leads, cancels: leads || row.host_id === id };
};
export const ofOthers = (user: Viewer, open: boolean): SQL =>
  and(
    eq(m.is_deleted, false),
    ne(m.act_state, actState.draft),
    or(
      takesPart(user),
      keepsRoom(user),
      open ? and(eq(m.is_public, true), eq(m.act_state, actState.finished)) : undefined,
    ),
  )!;

/** The status of a meeting that was approved or cancelled. */
const standing = (row: Meet): string | undefined =>
  row.act_state === actState.finished || row.meet_status === meetStatus.cancelled
    ? meetStatus.label(row.meet_status)
    : undefined;

export const notAfter = (end: string): FieldError => ({
  field: 'end_time',
  label: '结束时间',
  msg: `${end.slice(0, 16)} 不晚于开始时间，请重新选择`,
});

/** Faults that prevent a meeting from being sent, or finally approved. */
export function faultsOf(row: Meet, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  const missing = (field: string, label: string, msg = unfilled) => void errors.push({ field, label, msg });
  if (!row.start_time) missing('start_time', '开始时间');
  if (!row.end_time) missing('end_time', '结束时间');
  if (row.host_id === null) missing('host_id', '主持人');
  if (row.mode !== meetMode.online && row.room_id === null && !row.location)
    missing('room_id', '会议室', '请选择会议室，或填写其他地点');
  if (row.mode !== meetMode.inPlace && !row.online_url) missing('online_url', '线上会议链接');
  if (row.start_time && row.end_time && row.end_time <= row.start_time) errors.push(notAfter(row.end_time));
  if (errors.length === 0 && row.start_time! <= momentText(now)) throw alreadyBegun(row.start_time!);
  return errors;
}

const roomApproves = async (tx: Db, { room_id }: Pick<Meet, 'room_id'>): Promise<boolean> =>
  room_id !== null && approves(await requireRoom(tx, room_id));

/** User names of the room's managers. */
async function officeManagers(tx: Db, room_id: number | null): Promise<string[]> {
  if (room_id === null) return [];
  const people = await peopleById(tx, managersOf(await requireRoom(tx, room_id)));
  return Array.from(people.values(), (person) => person.username);
}
const free = async (tx: Db, row: Meet, { now }: RecordEvent): Promise<void> => void (await freeSlot(tx, row.id, now));
const take = async (tx: Db, row: Meet, { now }: RecordEvent) => takeSlot(tx, row, await byCreator(tx, row, now));

/** The planned meeting, with its agenda and guests. */
async function heldIn(tx: Db, row: Meet) {
  const [topics, guests] = [
    await tx.select().from(topicTable).where(eq(topicTable.meet_id, row.id)).orderBy(topicTable.no),
    await tx.select().from(guestTable).where(eq(guestTable.meet_id, row.id)).orderBy(guestTable.id),
  ];
  const rooms = await roomNames(tx, [row.room_id]);
  const beside = {
    topics: topics.map(({ title, reporter, minutes, files }) => ({ title, reporter, minutes, files })),
    guests: guests.map(({ name, org, mobile_mark }) => ({ name, org, mobile_mark })),
  };
  return heldBy(
    tx,
    MeetInput.omit({ notify: true, sms: true, remind: true }),
    { ...row, ...beside },
    {
      people: ['host_id', 'contact_id', 'recorder_id', 'observers'],
      depts: ['dept_id'],
      names: {
        type_id: meetType.names,
        mode: meetMode.names,
        materials_acl: materialsFor.names,
        sign_mode: signMode.names,
        room_id: rooms,
      },
    },
  );
}

/** Meetings: approved by the head and the room's office, if needed. */
export const meetings: ApprovalRecord<typeof meetTable> = record<typeof meetTable>({
  module,
  noun: '会议',
  page: (id) => `/meet/detail/${id}`,
  table: meetTable,
  scope: 'meet/list',
  related: ({ user }) => ofOthers(user, true),
  recipients: true,
  flow: flowByKey('meeting', '会议'),
  fills: {
    title: (row) => row.title,
    office_managers: async (row, tx) =>
      (await roomApproves(tx, row)) || !(await asksBeyond(tx, row))
        ? officeManagers(tx, row.room_id)
        : (await holdersOf(tx, 'office_admin')).map((one) => one.username),
    needs_approval: async (row, tx) => (await roomApproves(tx, row)) || asksBeyond(tx, row),
  },
  long: ['agenda'],
  content: heldIn,
  search: (row) => ({ texts: [row.title, row.location] }),
  people: (ids) => sql`${meetTable.host_id} in ${ids}`,
  faults: (_tx, row, { now }) => faultsOf(row, now),
  on: {
    // The version rises, so that later news counts as newer.
    approved: (_tx, row) => ({ version: row.version + 1 }),
    reopened: (_tx, row) => ({ version: row.version + 1 }),
    closed: (_tx, row, event) =>
      row.meet_status === meetStatus.cancelled
        ? {}
        : { meet_status: meetStatus.cancelled, cancel_reason: saidWith(event).slice(0, 200) || '审批已关闭' },
  },
  after: {
    submitted: take,
    resumed: take,
    async approved(tx, row, { by }) {
      await keepSlot(tx, row);
      // The notice of a repeat lists all dates, so it is sent once they exist.
      await invite(tx, row, row.notify && row.series_id === null ? { by } : null);
      await told(tx, 'kept', row, { by });
    },
    returned: free,
    withdrawn: free,
    async reopened(tx, row, event) {
      await free(tx, row, event);
      await withdrawFromLeaders(tx, [row], event.by, '会议重新审批');
    },
    closed: free,
    deleted: free,
    turned: (tx, row, event, before) => seriesTurned(tx, row, before, event),
  },
  guard: (row) => (isThrough(row.act_state) ? ({ action }) => (undoing.includes(action) ? useCancel() : null) : null),
  figure: (row) => (row.start_time ? dropYear(row.start_time.slice(0, 16), new Date()) : ''),
  log: (row) => {
    const state = standing(row);
    return { title: row.title, facts: titled(MeetInput, { ...row }), ...(state && { state }) };
  },
});

/** A change of time or room of an approved meeting: both slots are held, and the meeting stays as it is until the office decides. */
export const meetChanges = changesOf(meetings, {
  module: 'meeting_changes',
  noun: '会议变更',
  page: (id) => `/meet/change/${id}`,
  table: changeTable,
  onePending: 'meet_change_pending',
  flow: flowByKey('meeting_change', '会议变更'),
  fills: {
    title: async (change, tx) => `会议变更：${(await meetings.one(tx, change.record_id))!.title}`,
    office_managers: async (change, tx) => officeManagers(tx, await roomOf(tx, change)),
  },
  faults: (_tx, next, _row, _change, { now }) => faultsOf(next, now),
  begun: async (tx, next, { now }) => takeWanted(tx, next, await byCreator(tx, next, now)),
  dropped: async (tx, row) => void (await freeWanted(tx, row.id)),
  async after(tx, row, before, { by }) {
    await settleWanted(tx, row);
    await told(tx, 'moved', row, { before, by });
  },
});
const roomOf = async (tx: Db, { record_id, becomes }: RowOf<typeof changeTable>) =>
  (becomes as { room_id?: number }).room_id ?? (await meetings.one(tx, record_id))!.room_id;

/** True if the viewer has a relation to the meeting beyond its being public. */
export const isInside = async (tx: Db, viewer: RecordViewer, { id }: Pick<Meet, 'id'>): Promise<boolean> =>
  (await tx.$count(m, and(eq(m.id, id), or(ofOthers(viewer.user, false), meetings.inside(tx, viewer))))) > 0;
