import { and, eq, isNull } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import type { ledgerCalls } from '../contract/ledger.ts';
import * as refusals from '../contract/seal-refusals.ts';
import { keepersNow } from '../custody/keeper.ts';
import { lockStamps } from '../custody/write.ts';
import { ledgerOf } from '../seals/visibility.ts';
import { useTable } from '../tables/ledger.ts';
import { stampTable } from '../tables/seals.ts';
import { recordUse } from './record.ts';

type Writing = Pick<Context, 'tx' | 'audit' | 'now'> & { user: Viewer };

/** Adds a correction to a row of the ledger; once, by the keeper, until the end of the next working day. */
export async function correctUse(
  { tx, user, now, audit }: Writing,
  id: number,
  body: BodyOf<typeof ledgerCalls.correct>,
) {
  const [found] = await tx
    .select({ use: useTable })
    .from(useTable)
    .innerJoin(stampTable, eq(stampTable.id, useTable.stamp_id))
    .where(and(eq(useTable.id, id), isNull(useTable.corrects_id), ledgerOf(user)));
  if (!found) throw absent('台账记录');
  const { id: _id, search: _search, sn: _sn, gmt_created: _at, ...was } = found.use;
  const [stamp] = await lockStamps(tx, [was.stamp_id]);
  if ((await keepersNow(tx, [was.stamp_id])).get(was.stamp_id) !== user.id) throw refusals.notTheKeeper(stamp!.name);
  const last = dayOf(workingDaysAfter(momentOf(was.sealed_at), 1, await calendarOf(tx)));
  if (dayOf(now) > last) throw refusals.tooLate(last);
  const { real_copies = was.real_copies, real_pages = was.real_pages, remark } = body;
  if (real_copies === was.real_copies && real_pages === was.real_pages) throw refusals.nothingToCorrect();
  if (real_copies > was.copies) throw refusals.copiesBeyond(real_copies, was.copies);
  const right = { ...was, real_copies, real_pages, remark, keeper_id: user.id, corrects_id: id };
  const made = await recordUse(tx, { ...right, confirmed_by: null, confirmed_at: null }).catch(
    refuseOn('stamp_use_corrected_once', refusals.correctedBefore),
  );
  const facts = (copies: number, pages: number | null) => ({ 用印份数: copies, 页数: pages });
  audit({
    type: '用印台账',
    id,
    title: was.file_name,
    before: facts(was.real_copies, was.real_pages),
    after: { ...facts(real_copies, real_pages), 说明: remark },
  });
  return { id: made };
}
