import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayAfter } from '#kernel/contract/moment.ts';
import { addMonths, firstTerm, movedTerm, nextTerm, termsUntil, type Agreed, type Term } from './terms.ts';

const agreed = (more: Partial<Agreed> = {}): Agreed => ({
  start: '2020-01-01',
  end: '2024-12-31',
  renewal: 1,
  months: 12,
  noticeDays: 30,
  ...more,
});
const all = (of: Agreed, today: string): Term[] => {
  const first = firstTerm(of, '2020-01-01');
  return [first, ...termsUntil(of, [first], today)];
};
const ends = (of: Agreed, today: string) => all(of, today).map((term) => term.end);

describe('the terms of a renewed contract', () => {
  test('of sixty months and renewals of twelve end after seventy-two and then eighty-four months', () => {
    expect(ends(agreed(), '2024-12-31')).toEqual(['2024-12-31']);
    expect(ends(agreed(), '2025-01-01')).toEqual(['2024-12-31', '2025-12-31']);
    expect(ends(agreed(), '2026-06-01')).toEqual(['2024-12-31', '2025-12-31', '2026-12-31']);
  });

  test.each([
    ['2025-01-31', 1, '2025-05-01', ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31']],
    ['2024-02-29', 12, '2027-01-01', ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28']],
    ['2024-02-29', 48, '2024-03-01', ['2024-02-29', '2028-02-29']],
    ['2025-12-31', 2, '2026-03-01', ['2025-12-31', '2026-02-28', '2026-04-30']],
    ['2025-11-30', 3, '2026-03-01', ['2025-11-30', '2026-02-28', '2026-05-30']],
  ])('run from %s by %d months, as of %s', (end, months, today, wanted) => {
    expect(ends(agreed({ end, months }), today)).toEqual(wanted);
  });

  test('have their notice day counted from each term’s own end, and none without renewal', () => {
    const notices = (more: Partial<Agreed>, today: string) => all(agreed(more), today).map((term) => term.notice);
    expect(notices({}, '2026-01-01')).toEqual(['2024-12-01', '2025-12-01', '2026-12-01']);
    expect(notices({ end: '2025-01-10' }, '2025-01-11')).toEqual(['2024-12-11', '2025-12-11']);
    expect(notices({ renewal: 0 }, '2030-01-01')).toEqual([null]);
    expect(notices({ renewal: 2 }, '2030-01-01')).toEqual(['2024-12-01']);
    expect(notices({ end: null, renewal: 2 }, '2030-01-01')).toEqual([null]);
    expect(notices({ noticeDays: null }, '2025-06-01')).toEqual([null, null]);
  });

  test('count from a moved end date', () => {
    const first = firstTerm(agreed(), '2020-01-01');
    const moved = agreed({ end: '2026-06-30' });
    const longer = movedTerm(moved, first, '2026-06-30');
    expect(longer).toMatchObject({ no: 1, end: '2026-06-30', notice: '2026-05-31' });
    expect(nextTerm(moved, [longer])).toMatchObject({ no: 2, start: '2026-07-01', end: '2027-06-30' });
  });

  const date = fc.integer({ min: 0, max: 20_000 }).map((days) => dayAfter('2000-01-01', days));
  test('equal a count day by day, however many renewals follow', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 6 }), (end, months, times) => {
        const of = agreed({ start: dayAfter(end, -100), end, months });
        const far = dayAfter(secondReading(end, months * times), -1);
        const found = all(of, far);
        expect(found.map((term) => term.end)).toEqual([
          end,
          ...found.slice(1).map((_term, at) => secondReading(end, months * (at + 1))),
        ]);
        for (const [at, term] of found.entries()) if (at > 0) expect(term.start).toBe(dayAfter(found[at - 1]!.end!, 1));
      }),
      { numRuns: 60 },
    );
    fc.assert(
      fc.property(date, fc.nat(60), (day, months) => {
        expect(addMonths(day, months)).toBe(secondReading(day, months));
      }),
    );
  });
});

/** Counts day by day: the given number of month changes, then to the same day, or to the last one of that month. */
function secondReading(day: string, months: number): string {
  const wanted = Number(day.slice(8));
  let at = new Date(`${day}T00:00:00Z`);
  let turns = 0;
  while (turns < months) {
    const next = new Date(at.getTime() + 86_400_000);
    if (next.getUTCMonth() !== at.getUTCMonth()) turns += 1;
    at = next;
  }
  for (;;) {
    const next = new Date(at.getTime() + 86_400_000);
    if (at.getUTCDate() === wanted || next.getUTCMonth() !== at.getUTCMonth()) return at.toISOString().slice(0, 10);
    at = next;
  }
}
