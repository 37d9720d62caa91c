import { momentOf } from '#kernel/contract/moment.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState, usageType } from '../contract/codes.ts';
import type { LineRow } from './lines.ts';
import type { Stored } from './record.ts';

/** Minutes within which the second person confirms. */
export const confirmMinutes = 30;
const { ready, out, refused, sealed, returned, waiting } = lineState;
const approved = 4;
const ongoing = 1;

export const isLate = (pending: { asked: string }, now: Date) =>
  now.getTime() - momentOf(pending.asked).getTime() > confirmMinutes * 60_000;
export const isOwn = (row: Pick<Stored, 'creator_id' | 'operator_id'>, person: number) =>
  person === row.creator_id || person === row.operator_id;

/** True if the person brings the slip to the desk. */
export const bears = (row: Stored, person: number) => isOwn(row, person) || row.escort_id === person;

type Watched = Pick<LineRow, 'supervisor_id' | 'owner_keeper' | 'backup_id'>;
/** The possible second persons of a sealing: the supervisor of the seal, or another of its keepers. */
export const secondsOf = (row: Stored, line: Watched, by: number): number[] =>
  [line.supervisor_id, line.owner_keeper, line.backup_id].filter(
    (one): one is number => one !== null && one !== by && !isOwn(row, one),
  );
export const isSecond = (row: Stored, line: LineRow, person: number) =>
  line.pending !== null && secondsOf(row, line, line.pending.by).includes(person);

/** The acts open to a person on one seal of an application. */
export function lineActions(row: Stored, line: LineRow, person: number, now: Date): string[] {
  if (row.act_state !== approved) return [];
  const keeps = line.keeper === person && !isOwn(row, person);
  if (line.state === out) return keeps ? ['return'] : [];
  if (line.state !== ready) return [];
  // A sealing that was registered is neither repeated nor refused: it is confirmed, or the second person is asked anew.
  const uses = row.use_type !== usageType.out ? 'seal' : row.escort_id === person ? null : 'hand_over';
  if (line.pending === null) return keeps ? [...(uses ? [uses] : []), 'refuse'] : [];
  if (isLate(line.pending, now)) return keeps ? ['ask_second'] : [];
  return isSecond(row, line, person) ? ['confirm'] : [];
}

/** The acts open on an application besides the actions of its ticket. `heads` are the departments the person heads. */
export function applicationActions(
  row: Stored,
  lines: readonly LineRow[],
  person: number,
  heads: ReadonlySet<number>,
): string[] {
  const own = isOwn(row, person);
  const some = (which: (line: LineRow) => boolean) => lines.some(which);
  const keeps = some((line) => line.keeper === person);
  const may: [string, boolean][] = [
    [
      'appoint',
      own &&
        row.use_type === usageType.onSite &&
        ((row.act_state === ongoing && some((line) => line.state === waiting)) ||
          (row.act_state === approved && some((line) => line.state === ready && line.pending === null))),
    ],
    ['cancel', own && row.act_state === approved && some((line) => line.state === ready && line.pending === null)],
    ['copy', (own || keeps) && some((line) => line.state === sealed || line.state === returned)],
    ['take_back', keeps && some((line) => line.outside > 0)],
    ['extend', some((line) => line.state === out && (own || line.escort_id === person))],
    [
      'decide_extend',
      some((line) => line.extend_until !== null && heads.has(line.stamp_dept) && line.extend_by !== person),
    ],
    ['apply_again', person === row.creator_id && row.act_state === approved && some((line) => line.state === refused)],
    ['sheet', row.act_state !== actState.draft],
  ];
  return may.flatMap(([action, allowed]) => (allowed ? [action] : []));
}
