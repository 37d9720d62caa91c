import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { cancelLinesOf, openOf } from '../application/of-stamp.ts';
import { custodyKind, custodyState, stampStatus } from '../contract/seal-codes.ts';
import { confirmFirst, otherStatus, samePerson, stillOpen } from '../contract/seal-refusals.ts';
import { announceOnSeal, overseersOf, sealNews } from '../notify.ts';
import { requireSecond } from '../seals/write.ts';
import { custodyTable, stampTable } from '../tables/seals.ts';
import { custodyRules } from './rules.ts';
import type { StampRow } from './write.ts';

export type CustodyRow = typeof custodyTable.$inferSelect;
const { handOver, caretaker, caretakerEnds, suspend, collect, destroy, reappoint } = custodyKind;

/** Refuses an event that the seal's status does not allow; checked on proposal and again on taking effect. */
export async function requireReady(tx: Db, stamp: StampRow, { kind, to_id }: Pick<CustodyRow, 'kind' | 'to_id'>) {
  const act = `办理${custodyKind.label(kind)}`;
  const gone = kind === destroy && (await happened(tx, stamp.id, destroy));
  if (gone || !custodyRules[kind]!.of.includes(stamp.status))
    throw otherStatus(stamp.name, stampStatus.label(stamp.status), act);
  if (to_id !== null && to_id === stamp.supervisor_id) throw samePerson('监印人', '保管人', '接收人');
  if (kind === handOver) await requireSecond(tx, { ...stamp, ...handedTo(stamp, to_id!) });
  if (kind !== handOver && kind !== collect && kind !== destroy) return;
  const { waiting, unconfirmed, out } = await openOf(tx, stamp.id);
  if (unconfirmed > 0) throw confirmFirst(stamp.name, unconfirmed);
  if (kind !== handOver && (waiting > 0 || out))
    throw stillOpen(stamp.name, out ? '未归还的外借' : ` ${waiting} 件待用印`);
}

/** The people of a seal after a change of keeper: a backup or supervisor who becomes keeper gives up that role. */
const handedTo = (stamp: StampRow, to: number) => ({
  keeper_id: to,
  backup_id: stamp.backup_id === to ? null : stamp.backup_id,
});

async function happened(tx: Db, stampId: number, kind: number): Promise<boolean> {
  const { stamp_id, state } = custodyTable;
  return (
    (await tx.$count(
      custodyTable,
      and(eq(stamp_id, stampId), eq(custodyTable.kind, kind), eq(state, custodyState.inEffect)),
    )) > 0
  );
}

const endCaretakers = (tx: Db, stampId: number) =>
  tx
    .update(custodyTable)
    .set({ ended_at: sql`now()` })
    .where(
      and(
        eq(custodyTable.stamp_id, stampId),
        eq(custodyTable.kind, caretaker),
        eq(custodyTable.state, custodyState.inEffect),
        isNull(custodyTable.ended_at),
      ),
    );

/** Applies an event to its seal, notifies people, and handles the waiting applications. `cancels` is a suspension that cancels those. */
export async function takeEffect(
  tx: Db,
  stamp: StampRow,
  event: CustodyRow,
  by: number | null,
  cancels = false,
): Promise<void> {
  const { kind, to_id: to, reason } = event;
  const { becomes } = custodyRules[kind]!;
  const columns: Partial<StampRow> = {
    ...(becomes === undefined ? {} : { status: becomes }),
    ...(kind === handOver ? handedTo(stamp, to!) : {}),
    ...(kind === reappoint ? { backup_id: event.backup_id, supervisor_id: event.supervisor_id } : {}),
  };
  if (kind === custodyKind.lost || (kind === suspend && cancels))
    await cancelLinesOf(tx, stamp.id, `${kind === suspend ? '已停用' : '已挂失'}：${reason}`, by);
  if (kind === handOver || kind === caretakerEnds || kind === custodyKind.lost || becomes === 5)
    await endCaretakers(tx, stamp.id);
  await tx
    .update(stampTable)
    .set({ ...columns, ...touched(stampTable) })
    .where(eq(stampTable.id, stamp.id));
  await announceCustody(tx, stamp, event, by);
}

async function announceCustody(
  tx: Db,
  stamp: StampRow,
  { id, kind, from_id, to_id, reason }: CustodyRow,
  by: number | null,
) {
  const isLost = kind === custodyKind.lost;
  const what = custodyKind.label(kind);
  const said = {
    id,
    occasion: 'done',
    title: isLost ? `“${stamp.name}”已挂失` : `“${stamp.name}”已办理${what}`,
    content: `“${stamp.name}”${isLost ? '已挂失，停止使用' : `已办理${what}`}。${reason}`,
    by,
  };
  const news = isLost ? sealNews.STAMP_LOST : sealNews.STAMP_CUSTODY;
  await announceOnSeal(tx, news, stamp.id, said, [
    ...overseersOf(stamp.dept_id, isLost),
    stamp.keeper_id,
    from_id,
    to_id,
  ]);
}
