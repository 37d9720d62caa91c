import { sql } from 'drizzle-orm';
import { dayMs, momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { databaseFault } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { workingAmong } from '#modules/platform/people/service.ts';
import type { CustodyInput } from '../contract/custody.ts';
import { custodyKind, custodyState, pictureKind } from '../contract/seal-codes.ts';
import * as refusals from '../contract/seal-refusals.ts';
import { keepPictures } from '../ledger/record.ts';
import { sealNews } from '../notify.ts';
import { labelRead } from '../seals/list.ts';
import { powersOver, sees } from '../seals/visibility.ts';
import { namedFor, partTitles, requireSecond } from '../seals/write.ts';
import { custodyTable } from '../tables/seals.ts';
import { requireReady, takeEffect } from './effect.ts';
import { keepersNow, requireDesk } from './keeper.ts';
import { custodyRules } from './rules.ts';
import { runningCaretaker } from './running.ts';
import { lockStamps, type StampRow } from './write.ts';

type Writing = Pick<Context, 'tx' | 'audit' | 'now'> & { user: Viewer };
const { caretaker, caretakerEnds, inventory, reappoint } = custodyKind;

/** Refuses an event with facts missing for its kind. */
function requireFacts(stamp: StampRow, kind: number, body: CustodyInput): void {
  const { signed, pictures } = custodyRules[kind]!;
  const what = custodyKind.label(kind);
  if (signed === 'receiver' && !body.to) throw refusals.missing('选择接收人', what);
  if (signed === 'witnesses' && new Set(body.witnesses).size !== 2) throw refusals.missing('选择两位见证人', what);
  if (pictures && body.files.length === 0) throw refusals.missing('拍摄印模照片', what);
  if (kind === reappoint && body.backup === undefined && body.supervisor === undefined)
    throw refusals.missing('选择备岗或监印人', what);
  if (kind !== inventory) return;
  if (!body.code) throw refusals.missing('扫描印章标签', what);
  if (labelRead(body.code) !== stamp.id && body.code !== stamp.stamp_no)
    throw refusals.wrongLabel(body.code, stamp.name, stamp.stamp_no);
}

function periodOf(kind: number, body: CustodyInput, now: Date) {
  if (kind !== caretaker) return {};
  const from = body.from_time ? momentOf(body.from_time) : now;
  if (!body.until) throw refusals.missing('填写代管结束时间', '代管');
  const until = momentOf(body.until);
  const long = until.getTime() - from.getTime();
  if (from.getTime() < now.getTime() - 600_000 || long <= 0 || until <= now || long > 15 * dayMs)
    throw refusals.caretakerPeriod();
  return { ...(body.from_time ? { from_time: body.from_time } : {}), until: body.until };
}

/** The new backup and supervisor; roles that were not sent stay. */
async function reappointed(tx: Context['tx'], stamp: StampRow, { backup, supervisor }: CustodyInput) {
  const named = await namedFor(tx, { keeper: null, backup, supervisor }, partTitles);
  if ([named.backup, named.supervisor].includes(stamp.keeper_id))
    throw refusals.samePerson('保管人', '备岗或监印人', '保管人');
  const parts = {
    backup_id: backup === undefined ? stamp.backup_id : named.backup,
    supervisor_id: supervisor === undefined ? stamp.supervisor_id : named.supervisor,
  };
  if (parts.backup_id !== null && parts.backup_id === parts.supervisor_id)
    throw refusals.samePerson(partTitles.backup, partTitles.supervisor, '同一人');
  await requireDesk(tx, { 备岗: named.backup });
  await requireSecond(tx, { ...stamp, ...parts });
  return parts;
}

const conflicts = (stamp: StampRow) => (error: unknown) => {
  const constraint = databaseFault(error)?.constraint;
  if (constraint === 'stamp_custody_one_stand_in') throw refusals.caretakerTaken(stamp.name);
  if (constraint === 'stamp_custody_one_handover') throw refusals.handOverPending(stamp.name);
  throw error;
};

/** Writes a custody event: in effect at once, or once all signatures are given. */
export async function propose({ tx, user, now, audit }: Writing, stampId: number, body: CustodyInput) {
  const { kind } = body;
  const rule = custodyRules[kind];
  const what = custodyKind.label(kind);
  const [stamp] = await lockStamps(tx, [stampId]);
  if (!stamp) throw absent('印章');
  const hasIt = (await keepersNow(tx, [stampId])).get(stampId)!;
  const powers = await powersOver(tx, user, stamp, hasIt);
  if (!Object.values(powers).includes(true) && !(await sees(tx, user, stampId))) throw absent('印章');
  if (!rule) throw refusals.notByHand(what);
  const keeperLeft = (await workingAmong(tx, [stamp.keeper_id])).length === 0;
  if (!rule.may(powers, keeperLeft)) throw refusals.notYours(what, rule.who);
  requireFacts(stamp, kind, body);
  const { to } = await namedFor(tx, { to: body.to }, { to: '接收人' });
  if (to !== null && to === stamp.keeper_id) throw refusals.samePerson('移交人', '接收人', '保管人');
  await requireDesk(tx, { [kind === caretaker ? '代管人' : '接收人']: to });
  await requireReady(tx, stamp, { kind, to_id: to });
  if (kind === caretakerEnds && !(await runningCaretaker(tx, stampId))) throw refusals.noCaretaker(stamp.name);
  const witnesses = body.witnesses.length
    ? Object.values(
        await namedFor(tx, { one: body.witnesses[0], two: body.witnesses[1] }, { one: '见证人', two: '见证人' }),
      )
    : [];
  if (witnesses.includes(user.id) || witnesses.includes(stamp.keeper_id))
    throw refusals.samePerson('见证人', '提出人或保管人', '见证人');
  const parts = kind === reappoint ? await reappointed(tx, stamp, body) : null;
  const [row] = await tx
    .insert(custodyTable)
    .values({
      stamp_id: stampId,
      kind,
      state: rule.signed ? custodyState.asked : custodyState.inEffect,
      ...(rule.signed ? {} : { decided_at: sql`now()` }),
      from_id: stamp.keeper_id,
      to_id: to,
      ...periodOf(kind, body, now),
      reason: body.reason,
      witness_ids: witnesses.filter((one) => one !== null),
      ...parts,
      creator_id: user.id,
    })
    .returning()
    .catch(conflicts(stamp));
  await keepPictures(tx, user, { kind: pictureKind.custody, custody_id: row!.id }, body.files);
  audit({ type: '印章', id: stampId, title: stamp.name, after: { 事项: what, 接收人: body.to, 原因: body.reason } });
  if (!rule.signed) await takeEffect(tx, stamp, row!, user.id, body.cancel_lines);
  else {
    const content = `${user.alias}提出对“${stamp.name}”办理${what}：${body.reason}。请核对实物后签名。`;
    const said = { title: `请签收：“${stamp.name}”${what}`, content, occasion: 'asked', by: user.id, own: true };
    await announce(tx, sealNews.STAMP_CUSTODY, { id: row!.id }, said, [to, ...row!.witness_ids]);
  }
  return { id: row!.id };
}
