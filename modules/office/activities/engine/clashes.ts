import type { Entry } from '../contract/board.ts';

type One = Pick<Entry, 'id' | 'title' | 'start_time' | 'end_time' | 'place' | 'leaders'>;

/** The activities that clash with another one: same place or same leader at the same time. Takes them in order of their start. */
export function clashesAmong(entries: readonly One[]): { ids: number[]; says: string }[] {
  return entries.flatMap((one, at) =>
    entries.slice(at + 1).flatMap((other) => {
      if (other.start_time >= one.end_time || one.start_time >= other.end_time) return [];
      const shared = one.leaders.filter((leader) => other.leaders.includes(leader));
      const why = [
        ...(one.place && one.place === other.place ? [`都在${one.place}`] : []),
        ...shared.map((leader) => `都请${leader}出席`),
      ];
      if (why.length === 0) return [];
      return [
        {
          ids: [one.id, other.id],
          says: `${other.start_time.slice(5, 16)} 《${one.title}》与《${other.title}》${why.join('，')}`,
        },
      ];
    }),
  );
}
