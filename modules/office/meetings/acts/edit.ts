import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { approves, requireRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { meetCalls } from '../contract/meetings.ts';
import { nothingElse, notYours } from '../contract/refusals.ts';
import { refuseBeyond } from '../record/calling.ts';
import { faultsOf, meetChanges, meetings, type Meet } from '../record/record.ts';
import { moveSlot, requireQuota } from '../record/slot.ts';
import { columnsOf, differs, refuseTooSmall, writeBeside } from '../record/writing.ts';
import { editDates } from '../repeats/edit-dates.ts';
import { endChange } from './cancel.ts';
import { openFor, type Asked, type Opened } from './context.ts';
import { meetNews, sendNotice, toldOf } from './notice.ts';
import { changeForLeaders } from './leaders.ts';
import { expand } from './people.ts';
import { told } from './told.ts';

type Body = BodyOf<typeof meetCalls.edit>;
const slotKeys = ['start_time', 'end_time', 'room_id', 'location'] as const;
const peopleKeys = ['host_id', 'recorder_id', 'audience', 'observers'] as const;

/** Changes a meeting after it was sent: words at once, people by the difference, the time by the rules of the room's office. */
export async function edit(context: Asked, id: number, body: Body) {
  const { scope, reason, tell: tellOfIt, version, ...input } = body;
  if (scope !== 'this') return editDates(context, id, body);
  const opened = await openFor(context, id, {
    act: '修改',
    act_state: [1, 4],
    when: '待审、已通过且尚未召开的会议可以修改',
  });
  const { tx } = context;
  const { row } = opened;
  checkVersion('会议', row, version, row);
  const { room_id, start_time, end_time, ...columns } = await columnsOf(tx, input, row);
  const slot = { room_id, start_time, end_time };
  const people = differs(row, columns, peopleKeys);
  const moves = people || differs(row, { ...slot, ...columns }, slotKeys);
  if (moves && !opened.leads) throw notYours('调整时间、会议室和人员', '会议发起人或会务人员');
  if (columns.audience) await refuseBeyond(tx, context.user, row, columns.audience);
  if (row.act_state === actState.ongoing && moves) throw nothingElse('时间、会议室和人员');
  const beside = (after: Meet) => writeBeside(tx, after, input, context.user, row);
  await meetings.save(context, row, columns, {}, beside);
  const after = (await meetings.one(tx, id))!;
  if (after.attend_count > row.attend_count) await refuseTooSmall(tx, after, input);
  if (people) await tellDifference(opened, after);
  if (people && row.act_state === actState.finished) await changeForLeaders(tx, after, context.user.id);
  if (tellOfIt) await tellOfMaterials(opened, after);
  const change = differs(row, slot, slotKeys) ? await changeSlot(opened, after, { ...slot }, reason, input) : null;
  if (!change && after.location !== row.location) await told(tx, 'moved', after, { before: row, by: context.user.id });
  return { id, act_state: row.act_state, change };
}

/** Notifies people who were added, and tells those who were removed that they need not come. */
async function tellDifference({ context: { tx, user } }: Opened, row: Meet): Promise<void> {
  const before = await toldOf(tx, row.id);
  const { added, dropped } = await expand(tx, row);
  if (before.length > 0) await sendNotice(tx, row, user.id, { users: added });
  const gone = dropped.flatMap((one) => (one.told ? one.user_id : []));
  const said = { head: '不必参加', content: '参会人员有调整，请不必再来。', by: user.id };
  await announce(tx, meetNews.MEET_CANCEL, row, said, gone);
}

async function tellOfMaterials({ context: { tx, user } }: Opened, row: Meet): Promise<void> {
  const said = { head: '会议材料', content: '会议的议程或材料有更新，时间地点不变。', by: user.id };
  await announce(tx, meetNews.MEET_CHANGE, row, said, await toldOf(tx, row.id));
}

type Slot = Partial<Pick<Meet, 'room_id' | 'start_time' | 'end_time'>>;
/** Changes time or room: at once if no approval is needed or the office does it; else by a pending change, while both slots are held. */
async function changeSlot(
  { context, office }: Opened,
  row: Meet,
  slot: Slot,
  reason: string,
  input: { confirm?: boolean | undefined },
) {
  const { tx, now, user } = context;
  const given = Object.fromEntries(Object.entries(slot).filter(([, value]) => value !== undefined)) as Slot;
  const next = { ...row, ...given };
  const errors = faultsOf(next, now);
  if (errors.length > 0) throw invalid(errors);
  const room = next.room_id === null ? null : await requireRoom(tx, next.room_id);
  await refuseTooSmall(tx, next, input);
  if (room && approves(room) && !office) {
    const { id, act_state } = await meetChanges.propose(context, row, given, reason, { submit: true });
    return { id, act_state };
  }
  if (!office) await requireQuota(tx, next);
  await endChange(context, row, '会议已直接改期');
  const after = await meetings.set(tx, row, given);
  await moveSlot(tx, after, context);
  context.audit(meetings.standing(row, after));
  await told(tx, 'moved', after, { before: row, by: user.id, why: reason });
  return null;
}

/** 撤销变更: by the requester; the office refuses it in its ticket instead. */
export async function dropChange(context: Asked, id: number) {
  const { row } = await openFor(context, id, { act: '撤销变更', may: 'leads', when: '有变更待审时可以撤销' });
  await endChange(context, row, '发起人撤销变更');
  return { id };
}
