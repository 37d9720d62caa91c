import { invalid } from '#kernel/contract/refusal.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { linesOf, settle, type LineRow } from '../application/lines.ts';
import { applications, type Stored } from '../application/record.ts';
import { isOwn } from '../application/rights.ts';
import { lineState } from '../contract/codes.ts';
import { lineElsewhere, notKeeper, ownSeal } from '../contract/refusals.ts';
import { lockStamps } from '../custody/write.ts';
import { stampable } from '../sources/stampable.ts';

export type Asked = Omit<Context, 'user'> & { user: Viewer };
/** An application locked until the transaction ends, and its seals locked before it. */
export interface Opened extends Pick<Asked, 'tx' | 'user' | 'now' | 'audit'> {
  row: Stored;
  lines: LineRow[];
}

/** Locks an application after its seals, in the order that everybody uses. `of` are the seals concerned, all by default. */
export async function open(context: Asked, id: number, of?: readonly number[]): Promise<Opened> {
  const { tx, user, now, audit } = context;
  const viewer = await applications.viewerOf(tx, user);
  const seen = await applications.requireVisible(tx, viewer, id);
  const seals = (await linesOf(tx, [seen.id])).map((line) => line.stamp_id);
  await lockStamps(tx, seals);
  const row = await applications.requireForUpdate(tx, viewer, id);
  const all = await linesOf(tx, [id]);
  const unknown = of?.find((one) => !all.some((line) => line.stamp_id === one));
  if (unknown !== undefined) throw invalid([{ field: 'stamp_ids', label: '印章', msg: '这项申请没有这枚印章' }]);
  return { tx, user, now, audit, row, lines: of ? all.filter((line) => of.includes(line.stamp_id)) : all };
}

export const stateOf = (line: LineRow) => (line.pending ? '待监印' : lineState.label(line.state));

/** Refuses users who do not keep the seal at this moment, and applicants. */
export async function requireKeeper({ tx, row, user }: Opened, line: LineRow): Promise<void> {
  if (line.keeper !== user.id) {
    const keeper = (await peopleById(tx, [line.keeper])).get(line.keeper);
    throw notKeeper(line.stamp_name, keeper?.alias ?? '他人');
  }
  if (isOwn(row, user.id)) throw ownSeal();
}
export function requireState(line: LineRow, state: number, free = true): void {
  if (line.state !== state || (free && line.pending !== null)) throw lineElsewhere(line.stamp_name, stateOf(line));
}

/** Writes the act to the log and notifies the linked record and the application's open pages. */
export async function finish(opened: Opened, did: string, facts: Record<string, unknown> = {}) {
  const { tx, row, now, audit } = opened;
  const seal_status = await settle(tx, row.id, now);
  const names = opened.lines.map((line) => line.stamp_name).join('、');
  audit({ type: '用印申请', id: row.id, title: row.title, after: { 办理: did, 印章: names, ...facts } });
  const over: readonly number[] = [lineState.void, lineState.refused];
  if (row.source_id !== null && over.includes(seal_status))
    await stampable(tx, row.source_module)?.dropped(tx, row.source_id);
  return { id: row.id, seal_status };
}
