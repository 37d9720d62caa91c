import fc from 'fast-check';
import { expect, test } from 'vitest';
import { traceOf, type Version } from './trace.ts';

const words = fc.array(fc.constantFrom('甲', '乙', '丙', '。', '\n'), { maxLength: 30 }).map((all) => all.join(''));

test('all insertions and deletions are shown in one text, each with the change that made it', () => {
  const parts = traceOf([
    { text: '现将考试安排通知如下。请遵照执行。', no: null },
    { text: '现将期末考试安排通知如下。请遵照执行。', no: 1 },
    { text: '现将期末考试安排通知如下。', no: 3 },
  ]);
  expect(parts).toEqual([
    { kind: 'same', text: '现将', no: null },
    { kind: 'new', text: '期末', no: 1 },
    { kind: 'same', text: '考试安排通知如下。', no: null },
    { kind: 'gone', text: '请遵照执行。', no: 3 },
  ]);
});

test('the remaining text of a trace equals the last version, and unmarked text was in the first', () => {
  fc.assert(
    fc.property(words, fc.array(words, { minLength: 1, maxLength: 4 }), (first, later) => {
      const versions = later.map((text, index): Version => ({ text, no: index + 1 }));
      const parts = traceOf([{ text: first, no: null }, ...versions]);
      expect(parts.map((one) => (one.kind === 'gone' ? '' : one.text)).join('')).toBe(later.at(-1));
      let at = -1;
      for (const letter of parts.map((one) => (one.kind === 'same' ? one.text : '')).join('')) {
        at = first.indexOf(letter, at + 1);
        expect(at).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
