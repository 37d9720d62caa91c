import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { copyFiles } from '#modules/platform/files/service.ts';
import { newsOf } from '#modules/platform/messages/service.ts';
import { approves, obstacles, requireRoom, takeRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { meetCalls } from '../contract/meetings.ts';
import { nothingElse, notYours, officeMoves } from '../contract/refusals.ts';
import { refuseBeyond } from '../record/calling.ts';
import { faultsOf, meetings, module, type Meet } from '../record/record.ts';
import { moveSlot, overQuota } from '../record/slot.ts';
import { columnsOf, countAsked, differs, refuseTooSmall, writeBeside } from '../record/writing.ts';
import { datesIn } from './scope.ts';
import { inStep } from './series.ts';
import { guestTable, meetTable, topicTable } from '../tables.ts';
import { endChange } from '../acts/cancel.ts';
import { openFor, type Asked, type Opened } from '../acts/context.ts';
import { changeForLeaders } from '../acts/leaders.ts';
import { datesPlaces, datesText, markTold, meetNews, tellOfDates, toldOf } from '../acts/notice.ts';
import { expand } from '../acts/people.ts';
import { told } from '../acts/told.ts';

type Body = BodyOf<typeof meetCalls.edit>;
const what = { act: '修改', act_state: [1, 4], when: '待审、已通过且尚未召开的会议可以修改' } as const;
const slotKeys = ['room_id', 'start_time', 'end_time'] as const;
const later = (at: string, by: number) => momentText(new Date(momentOf(at).getTime() + by));

type Sent = Omit<Body, 'scope' | 'reason' | 'tell' | 'version' | 'confirm'>;
/** The sent fields that differ from the date on which the form was opened; in all others, each date keeps its own values. */
async function changedOf(tx: Db, base: Meet, sent: Sent): Promise<Partial<Sent>> {
  const topics = await tx.select().from(topicTable).where(eq(topicTable.meet_id, base.id)).orderBy(topicTable.no);
  const guests = await tx.select().from(guestTable).where(eq(guestTable.meet_id, base.id)).orderBy(guestTable.id);
  const { room_id, start_time, end_time, guests: people, topics: lines, ...words } = sent;
  const stands: Record<string, unknown> = {
    ...base,
    topics: topics.map(({ title, reporter, minutes, files }) => ({ title, reporter, minutes, files })),
    guests: guests.map(({ id, name, org }) => ({ id, name, org, mobile: '' })),
  };
  const written: Record<string, unknown> = {
    ...(await columnsOf(tx, words, base)),
    ...(lines && { topics: lines.map(({ title, reporter, minutes, files }) => ({ title, reporter, minutes, files })) }),
    ...(people && { guests: people.map(({ id, name, org, mobile }) => ({ id, name, org, mobile })) }),
  };
  const changed = new Set(
    Object.keys(written).filter((key) => JSON.stringify(written[key]) !== JSON.stringify(stands[key])),
  );
  const kept = Object.entries({ ...words, topics: lines, guests: people }).filter(([key]) => changed.has(key));
  return { ...(Object.fromEntries(kept) as Partial<Sent>), room_id, start_time, end_time };
}

/** Changes several future dates of a repeat: words and people of all, the time of those that were not moved alone. */
export async function editDates(context: Asked, id: number, body: Body) {
  const { scope, reason, tell: tellOfIt, version, confirm, ...sent } = body;
  const { tx, user } = context;
  const ids = await datesIn(tx, id, scope);
  const opened: Opened[] = [];
  for (const date of ids) opened.push(await openFor(context, date, what));
  const base = opened.find(({ row }) => row.id === id)?.row ?? opened[0]!.row;
  checkVersion('会议', base, version, base);
  const { room_id, start_time, end_time, materials, topics, guests, ...words } = await changedOf(tx, base, sent);
  const people = ['host_id', 'recorder_id', 'audience', 'observers'].some((key) => key in words);
  const moves = people || words.location !== undefined || differs(base, { room_id, start_time, end_time }, slotKeys);
  if (moves && !opened.every(({ leads }) => leads)) throw notYours('调整时间、会议室和人员', '会议发起人或会务人员');
  if (moves && opened.some(({ row }) => row.act_state === actState.ongoing)) throw nothingElse('时间、会议室和人员');
  const rows: Meet[] = [];
  const asked = new Map<number, Meet[]>();
  const dropped = new Map<number, Meet[]>();
  const add = (to: Map<number, Meet[]>, person: number, row: Meet) => to.set(person, [...(to.get(person) ?? []), row]);
  // The edited date takes the uploaded files, the others get copies, made before any file is removed.
  const papers = await papersFor(opened.map(({ row }) => row));
  for (const { row } of opened) {
    const beside = papers(row);
    const columns = await columnsOf(tx, { ...words, ...(beside.materials && { materials: beside.materials }) }, row);
    if (columns.audience) await refuseBeyond(tx, user, row, columns.audience);
    const before = row.attend_count;
    // Agenda and guests belong to the version too, so that a form opened earlier is refused.
    const changes = Object.keys(columns).length > 0 || beside.topics || beside.guests;
    const after = changes ? await meetings.set(tx, row, columns) : row;
    if (materials ?? topics ?? guests) await writeBeside(tx, after, beside, user, row);
    else if (people) await countAsked(tx, after);
    if (after.attend_count > before) await refuseTooSmall(tx, after, { confirm });
    if (people && after.act_state === actState.finished) {
      const told = (await toldOf(tx, row.id)).length > 0;
      const people = await expand(tx, after);
      for (const one of told ? await markTold(tx, row.id, people.added) : []) add(asked, one, after);
      for (const one of people.dropped) if (one.told) add(dropped, one.user_id, after);
      await changeForLeaders(tx, after, user.id);
    }
    rows.push(after);
  }
  await tellOfDates(tx, asked, (dates) => {
    const said = `重复会议，请您参加其中 ${dates.length} 次：${datesText(dates)}。请回复能否参加。`;
    return newsOf(meetNews.MEET_NOTICE, dates[0]!, { content: said, by: user.id });
  });
  await tellOfDates(tx, dropped, (dates) => {
    const said = `重复会议的参会人员有调整，${datesText(dates)} 请不必再来。`;
    return newsOf(meetNews.MEET_CANCEL, dates[0]!, { head: '不必参加', content: said, by: user.id });
  });
  const { stays, moved } = await shift(context, opened, rows, base, { room_id, start_time, end_time });
  const placed = rows.filter(
    (row) =>
      row.room_id === null && row.location !== wasOf(row).location && !moved.some((other) => other.id === row.id),
  );
  for (const row of placed) await told(tx, 'moved', row, { before: wasOf(row), by: user.id, quiet: true });
  await tellOnce([...moved, ...placed]);
  if (tellOfIt) await tellOfPapers(rows.filter((row) => row.act_state === actState.finished));
  context.audit({ ...meetings.standing(base, base), after: { 范围: scope, 修改次数: rows.length } });
  return { id, act_state: base.act_state, change: null, left: stays };

  function wasOf({ id: date }: Meet): Meet {
    return opened.find(({ row }) => row.id === date)!.row;
  }

  /** Moves the dates that can be moved; those that are blocked stay. */
  async function shift(
    { now }: Asked,
    all: readonly Opened[],
    dates: readonly Meet[],
    from: Meet,
    to: Pick<Body, 'room_id' | 'start_time' | 'end_time'>,
  ): Promise<{ stays: { start_time: string; reason: string }[]; moved: Meet[] }> {
    const start = to.start_time ?? from.start_time!;
    const end = to.end_time ?? from.end_time!;
    const by = momentOf(start).getTime() - momentOf(from.start_time!).getTime();
    const length = momentOf(end).getTime() - momentOf(start).getTime();
    const room = to.room_id === undefined ? from.room_id : to.room_id;
    const same = by === 0 && end === from.end_time && room === from.room_id;
    if (same) return { stays: [], moved: [] };
    const errors = faultsOf({ ...from, start_time: start, end_time: end, room_id: room }, now);
    if (errors.length > 0) throw invalid(errors);
    if (room !== null) {
      const wanted = await requireRoom(tx, room);
      if (approves(wanted) && !all.every(({ office }) => office)) throw officeMoves(wanted.name);
    }
    // Moving later starts with the last date, so that each makes room for the one before it.
    const moving = dates.filter(inStep).toSorted((a, b) => a.start_time!.localeCompare(b.start_time!));
    if (by > 0) moving.reverse();
    const next = moving.map((row) => {
      const begins = later(row.start_time!, by);
      return { start_time: begins, end_time: later(begins, length) };
    });
    const records = moving.map((row) => row.id);
    const why_not =
      room === null ? next.map(() => null) : await obstacles(tx, room, next, { module, records }, { user, now });
    const stays: { start_time: string; reason: string }[] = [];
    const moved: Meet[] = [];
    for (const [at, row] of moving.entries()) {
      const passed = next[at]!.start_time <= momentText(now);
      const quota =
        !passed && !all.every(({ office }) => office) && (await overQuota(tx, { ...row, ...next[at]!, room_id: room }));
      const reasonNot = quota ? quota.message : passed ? `${next[at]!.start_time.slice(0, 16)} 已经过去` : why_not[at];
      if (reasonNot) stays.push({ start_time: row.start_time!, reason: reasonNot });
      else moved.push(await moveOne(row, { ...next[at]!, room_id: room }));
    }
    return { stays, moved };

    async function moveOne(row: Meet, place: { start_time: string; end_time: string; room_id: number | null }) {
      await endChange(context, row, '会议已直接改期');
      const after = await meetings.set(tx, row, place);
      await tx
        .update(meetTable)
        .set({ original_start: place.start_time })
        .where(
          and(
            eq(meetTable.id, row.id),
            sql`not exists (select from meet o where o.series_id = ${row.series_id} and o.original_start = ${place.start_time}::timestamptz)`,
          ),
        );
      if (row.room_id === null && place.room_id !== null)
        await takeRoom(
          tx,
          { module, record_id: row.id, slot: '' },
          { ...place, room_id: place.room_id },
          { user, now },
        );
      else await moveSlot(tx, after, { user, now });
      await told(tx, 'moved', after, { before: row, by: user.id, quiet: true });
      return after;
    }
  }

  /** The agenda, guests and files of each date: own rows and own files. */
  async function papersFor(
    dates: readonly Meet[],
  ): Promise<(row: Meet) => Partial<Pick<Body, 'materials' | 'topics' | 'guests'>>> {
    const own = new Map<number, Partial<Pick<Body, 'materials' | 'topics' | 'guests'>>>();
    // The first date to be written takes the upload, because a date may only hold files that the writer may attach.
    const taker = base.id;
    for (const { id: date } of dates) {
      const copied = async (fileIds: readonly number[]) =>
        date === taker ? [...fileIds] : copyFiles(tx, { fileIds, module, user });
      own.set(date, {
        ...(materials && { materials: await copied(materials) }),
        ...(topics && {
          topics: await Promise.all(topics.map(async (one) => ({ ...one, files: await copied(one.files) }))),
        }),
        // Guests of another date have other ids there.
        ...(guests && { guests: date === taker ? guests : await sameGuests(date, guests) }),
      });
    }
    return (row) => own.get(row.id)!;
  }

  /** The guests of another date; one that keeps its mobile number here keeps it there. */
  async function sameGuests(date: number, asked: NonNullable<Body['guests']>): Promise<NonNullable<Body['guests']>> {
    const known = await tx
      .select({ id: guestTable.id, meet: guestTable.meet_id, name: guestTable.name, org: guestTable.org })
      .from(guestTable)
      .where(inArray(guestTable.meet_id, [base.id, date]));
    return asked.map(({ id: here, ...one }) => {
      const was = known.find((guest) => guest.meet === base.id && guest.id === here);
      const there =
        was && known.find((guest) => guest.meet === date && guest.name === was.name && guest.org === was.org);
      return { ...one, ...(there && { id: there.id }) };
    });
  }

  /** Sends one message about all changed dates. */
  async function tellOnce(dates: readonly Meet[]) {
    const changedDates = dates.filter((row) => row.act_state === actState.finished);
    const people = new Map<number, Meet[]>();
    for (const row of changedDates) for (const one of await toldOf(tx, row.id)) add(people, one, row);
    await tellOfDates(tx, people, async (rows) => {
      const again = rows.some((row) => {
        const was = wasOf(row);
        return row.start_time !== was.start_time || row.end_time !== was.end_time;
      });
      const before = rows.map((row) => wasOf(row));
      const said = `重复会议中的 ${rows.length} 次有变更，原为 ${await datesPlaces(tx, before)}；现为 ${await datesPlaces(tx, rows)}。${reason && `原因：${reason}。`}${again ? '请重新回复能否参加。' : ''}`;
      return newsOf(meetNews.MEET_CHANGE, rows[0]!, { content: said, by: user.id, own: again });
    });
  }

  /** Sends one message about new materials of all dates. */
  async function tellOfPapers(dates: readonly Meet[]) {
    const people = new Map<number, Meet[]>();
    for (const row of dates) for (const one of await toldOf(tx, row.id)) add(people, one, row);
    await tellOfDates(tx, people, (rows) => {
      const said = `重复会议中的 ${rows.length} 次（${datesText(rows)}）议程或材料有更新，时间地点不变。`;
      return newsOf(meetNews.MEET_CHANGE, rows[0]!, { head: '会议材料', content: said, by: user.id });
    });
  }
}
