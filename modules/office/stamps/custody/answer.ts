import { and, eq, or, sql } from 'drizzle-orm';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { attach, filesById } from '#modules/platform/files/service.ts';
import type { CustodyAnswer } from '../contract/custody.ts';
import { custodyKind, custodyState, pictureKind } from '../contract/seal-codes.ts';
import { decidedBefore, missing, notYours, signedBefore, signIt, caretakerPeriod } from '../contract/seal-refusals.ts';
import { keepPictures, pictureModule } from '../ledger/record.ts';
import { announceOnSeal, sealNews } from '../notify.ts';
import { custodyTable } from '../tables/seals.ts';
import { requireReady, takeEffect, type CustodyRow } from './effect.ts';
import { requireDesk } from './keeper.ts';
import { lockStamps, type StampRow } from './write.ts';

type Writing = Pick<Context, 'tx' | 'audit'> & { user: Viewer };
const [agrees, declines, witnesses] = [1, 2, 3];

/** Condition: the event waits for the person to take over or to witness, or the person proposed it. */
export const concerns = (person: number) =>
  or(
    eq(custodyTable.to_id, person),
    eq(custodyTable.creator_id, person),
    sql`${person}::int = any(${custodyTable.witness_ids})`,
  );

async function held(tx: Db, user: Viewer, id: number): Promise<{ stamp: StampRow; event: CustodyRow }> {
  const mine = and(eq(custodyTable.id, id), concerns(user.id));
  const [known] = await tx.select({ stamp: custodyTable.stamp_id }).from(custodyTable).where(mine);
  if (!known) throw absent('保管事项');
  const [stamp] = await lockStamps(tx, [known.stamp]);
  const [event] = await tx.select().from(custodyTable).where(mine).for('update');
  return { stamp: stamp!, event: event! };
}

/** Signs or declines an event, or withdraws one's own proposal. The last signature puts the event into effect. */
export async function answer({ tx, user, audit }: Writing, id: number, body: CustodyAnswer, proven: boolean) {
  const { stamp, event } = await held(tx, user, id);
  if (event.state !== custodyState.asked) throw decidedBefore(custodyState.label(event.state));
  const what = custodyKind.label(event.kind);
  const log = (did: string) =>
    audit({ type: '印章', id: stamp.id, title: stamp.name, after: { 事项: what, 办理: did } });
  if (body.result === declines) {
    const own = event.creator_id === user.id;
    const state = own ? 3 : 2;
    await tx
      .update(custodyTable)
      .set({ state, decided_at: sql`now()` })
      .where(eq(custodyTable.id, id));
    log(custodyState.label(state));
    const title = `“${stamp.name}”${what}${custodyState.label(state)}`;
    const to = [event.creator_id, event.to_id, ...event.witness_ids];
    const content = `${user.alias}${own ? '撤销' : '拒绝'}了“${stamp.name}”的${what}。`;
    const said = { id, occasion: 'declined', title, content, by: user.id };
    await announceOnSeal(tx, sealNews.STAMP_CUSTODY, stamp.id, said, to);
    return { id };
  }
  const asWitness = event.witness_ids.includes(user.id);
  if (body.result === agrees && event.to_id !== user.id) throw notYours('签收', '接收人');
  if (body.result === witnesses && !asWitness) throw notYours('见证', '见证人');
  if (event.signed.some((one) => one.user_id === user.id)) throw signedBefore();
  await requireReady(tx, stamp, event);
  await requireDesk(tx, { 接收人: event.to_id });
  if (event.kind === custodyKind.handOver && body.files.length === 0) throw missing('拍摄印模照片', '交接签收');
  const signature_id = await signatureOf(tx, user, id, body, proven);
  await keepPictures(tx, user, { kind: pictureKind.custody, custody_id: id }, body.files);
  const signed = [...event.signed, { user_id: user.id, at: await nowText(tx), signature_id }];
  const all = body.result === agrees || signed.length === event.witness_ids.length;
  if (all && event.kind === custodyKind.caretaker && event.until! <= signed.at(-1)!.at) throw caretakerPeriod();
  // A period begins no earlier than its last signature.
  const [after] = await tx
    .update(custodyTable)
    .set({
      signed,
      ...(all
        ? {
            state: custodyState.inEffect,
            decided_at: sql`now()`,
            from_time: sql`greatest(${custodyTable.from_time}, now())`,
          }
        : {}),
    })
    .where(eq(custodyTable.id, id))
    .returning();
  log(body.result === witnesses ? '见证签名' : '签收');
  if (all) await takeEffect(tx, stamp, after!, user.id);
  return { id };
}

async function nowText(tx: Db): Promise<string> {
  const { rows } = await tx.execute<{ at: string }>(sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') at`);
  return rows[0]!.at;
}

/** The handwritten signature; null for those who proved themselves by password. */
async function signatureOf(tx: Db, user: Viewer, id: number, { signature }: CustodyAnswer, proven: boolean) {
  if (signature === undefined) {
    if (!proven) throw signIt();
    return null;
  }
  await attach(tx, { fileId: signature, module: pictureModule, recordId: `custody:${id}`, user });
  if (!(await filesById(tx, [signature])).get(signature)?.mime.startsWith('image/'))
    throw invalid([{ field: 'signature', label: '手写签名', msg: '签名不是图片，请重新签名' }]);
  return signature;
}
