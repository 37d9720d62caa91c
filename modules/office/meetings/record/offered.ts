import { dayOf, momentText } from '#kernel/contract/moment.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, signMode, signState, substituteState } from '../contract/codes.ts';
import type { mineShown } from './reading.ts';
import { leadsIt, type Meet } from './record.ts';
import { windowOf } from './slot.ts';

/** Acts on a meeting besides the actions of its ticket. */
export function actionsFor(row: Meet, { user }: RecordViewer, more: object, now: Date): string[] {
  const { mine, office, runs, change_pending, untold } = more as {
    mine: ReturnType<typeof mineShown> | null;
    office: boolean;
    runs: boolean;
    change_pending: boolean;
    untold: number;
  };
  const { leads, cancels } = leadsIt(row, user, office);
  const held = row.act_state === actState.finished;
  const coming = row.meet_status === meetStatus.coming;
  const at = momentText(now);
  const open = held && row.meet_status < meetStatus.over && row.start_time !== null && row.start_time > at;
  const signs =
    held &&
    row.meet_status < meetStatus.over &&
    row.start_time !== null &&
    windowOf(row).from <= at &&
    at <= windowOf(row).to;
  const may: [string, boolean][] = [
    ['revise', runs && coming && (held || row.act_state === actState.ongoing)],
    ['move', leads && coming && held],
    ['cancel', cancels && (held || row.act_state === actState.ongoing) && row.meet_status < meetStatus.over],
    ['drop_change', leads && change_pending],
    ['notice', runs && held && coming],
    ['send', runs && held && coming && untold > 0],
    ['reply', open && mine !== null && mine.for_info === null],
    ['stand_in', open && mine?.for_info !== null && mine?.substitute_state === substituteState.asked],
    ['end', runs && held && row.meet_status < meetStatus.over && row.start_time !== null && row.start_time <= at],
    ['checkin', signs && row.checked_in_at === null && row.room_id !== null && (runs || mine !== null)],
    [
      'sign',
      signs && mine?.sign_state === signState.none && signMode.is(row.sign_mode, signMode.code, signMode.renewedCode),
    ],
    [
      'screen',
      runs &&
        held &&
        row.meet_status < meetStatus.over &&
        row.sign_mode !== signMode.none &&
        dayOf(now) >= windowOf(row).from.slice(0, 10),
    ],
    ['sign_others', runs && held && (signs || row.meet_status === meetStatus.over) && row.sign_mode !== signMode.none],
    ['keep', runs && held && coming && row.keep_asked_at !== null && row.kept_at === null],
    ['displace', office && open && coming && row.room_id !== null],
  ];
  return may.flatMap(([action, allowed]) => (allowed ? [action] : []));
}
