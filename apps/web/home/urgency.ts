import { momentOf } from '#kernel/contract/moment.ts';
import { lightOf } from '#modules/workflow/tickets/contract/due.ts';
import type { Waiting as Kind } from '#modules/platform/waits/contract.ts';
import { useWaits } from '#modules/platform/waits/widgets.tsx';

/** So many of each kind are named; what is further is on the page of its kind. */
export const perKind = 20;

export type Row = Kind['rows'][number] & { kind: Kind; light: 0 | 1 | 2 | 3 };

/** What is late or nearly so first, then what is due soonest, then what has waited longest. */
export function byUrgency(kinds: readonly Kind[], now: Date): Row[] {
  const time = (at: string | null) => (at ? momentOf(at).getTime() : Infinity);
  const urgent = (row: Row) => (row.light > 1 ? -row.light : 0);
  const rows = kinds.flatMap((kind) =>
    kind.rows.map((row) => ({ ...row, kind, light: lightOf(row.due_at, true, now) as Row['light'] })),
  );
  return onceEach(rows).toSorted(
    (a, b) =>
      urgent(a) - urgent(b) ||
      (urgent(a) === 0 ? 0 : time(a.due_at) - time(b.due_at)) ||
      time(a.since) - time(b.since) ||
      time(a.due_at) - time(b.due_at),
  );
}

/** What two kinds show alike is one thing to do. */
function onceEach<R extends Kind['rows'][number]>(rows: readonly R[]): R[] {
  const known = new Set<string>();
  return rows.filter(({ web_path, title }) => {
    const key = `${web_path} ${title}`;
    return !known.has(key) && known.add(key);
  });
}

/** All that waits for me by kinds, and how much that is: as many as the list of all has lines, with those that are not named. */
export function useAllThatWaits() {
  const { data, ...asking } = useWaits(perKind);
  if (!data) return { ...asking, kinds: undefined, total: 0 };
  const rows = data.value.flatMap((kind) => kind.rows);
  return { ...asking, kinds: data.value, total: data.total - (rows.length - onceEach(rows).length) };
}
