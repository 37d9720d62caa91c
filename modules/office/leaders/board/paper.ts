import { dayAfter } from '#kernel/contract/moment.ts';
import type { TableInput } from '#modules/platform/typesetting/service.ts';
import type { Snapshot } from '../contract/board.ts';
import { attendType, busyWord, type Half, halves, hoursText, trip, visibleTo } from '../contract/codes.ts';
import { halvesOf } from '../engine/cells.ts';

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];

/**
 * A week on paper: leaders as rows, days as columns, each day in its parts. Entries that are not public, or closed to the viewer since, are
 * printed as 忙.
 */
export function weekSheet(
  { week, version, snapshot }: { week: string; version: number; snapshot: Snapshot },
  scope: 'all' | 'open',
  since: ReadonlySet<number> = new Set(),
): TableInput {
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(week, index));
  const words = (entry: Snapshot['entries'][number], half: Half, day: string): string => {
    const starts = halvesOf(entry, days[0]!, days[6]!)[0];
    const at = starts?.day === day && starts.half === half ? hoursText(entry) : '（续）';
    if (entry.type_id === trip) return `外出${entry.acting ? `（${entry.acting}代行）` : ''}`;
    const kept =
      entry.visibility === visibleTo.own ||
      (scope === 'open' && entry.visibility !== visibleTo.everybody) ||
      since.has(entry.id);
    if (kept) return `${at} ${busyWord}`;
    const how = entry.attend_type === attendType.hosts ? `（${attendType.label(1)}）` : '';
    return `${at} ${entry.title}${how}${entry.address ? `，${entry.address}` : ''}`;
  };
  const cell = (leader: number, day: string): string =>
    (Object.keys(halves) as Half[])
      .flatMap((half) => {
        const there = snapshot.entries.filter(
          (one) => one.leaders.includes(leader) && halvesOf(one, day, day).some((each) => each.half === half),
        );
        return there.length === 0 ? [] : [`${halves[half]}　${there.map((one) => words(one, half, day)).join('；')}`];
      })
      .join('\n');
  return {
    title: '校领导一周安排',
    under: `${days[0]} 至 ${days[6]}　第 ${version} 版${scope === 'open' ? '' : '　内部使用'}`,
    head: ['领导', ...days.map((day, index) => `星期${weekdays[index]!}\n${day.slice(5)}`)],
    widths: [9, ...days.map((_day, index) => (index < 5 ? 14 : 10.5))],
    rows: snapshot.leaders.map((leader) => [
      leader.post ? `${leader.alias}\n${leader.post}` : leader.alias,
      ...days.map((day) => cell(leader.id, day)),
    ]),
  };
}
