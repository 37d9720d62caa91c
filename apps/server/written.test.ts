import { afterAll, beforeAll, expect, test } from 'vitest';
import { z, type core } from 'zod';
import type { Inner } from '#kernel/contract/words/labels.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { named } from './testing/asking.ts';
import { openWalk } from './testing/walk.ts';
import type { TestOffice } from './testing.ts';

let app: TestOffice;
let mounted: readonly Mounted[];
beforeAll(async () => {
  ({ app, mounted } = await openWalk());
});
afterAll(() => app.close());

type Schema = core.$ZodType;
interface Field {
  /** The address of the call, and the field in it. */
  at: string;
  title: string;
  take: (value: unknown) => unknown;
}

/** The parsed value; undefined if the schema refuses it. */
const takes = (schema: Schema) => (value: unknown) => {
  const read = z.safeParse(schema, value);
  return read.success ? read.data : undefined;
};
/** Every field of a body or a query, at any depth, with its parser. */
function fieldsOf(schema: Schema | undefined, at: string, seen = new Set<Schema>()): Field[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { innerType, in: from, element, shape = {}, options = [], valueType, getter } = schema._zod.def as Inner;
  const own = Object.entries(shape).map(([name, field]) => ({
    at: `${at} ${name}`,
    title: titleOf(field) ?? '',
    take: takes(field),
  }));
  const parts = [innerType, from, element, valueType, getter?.(), ...options, ...Object.values(shape)];
  return [...own, ...parts.flatMap((part) => fieldsOf(part, at, seen))];
}
const fields = () =>
  mounted.flatMap((one) => [one.call.query, one.call.body].flatMap((schema) => fieldsOf(schema, named(one))));

test('every date or time field accepts only the years 1900 to 2099', () => {
  const dated = fields().flatMap(({ at, take }) =>
    ['2026-03-05', '2026-03-05 09:30'].flatMap((typed) => {
      const isOne = take(typed) !== undefined && take(typed.replace('03-05', '13-05')) === undefined;
      return isOne ? [{ at, take, typed }] : [];
    }),
  );
  expect(dated.length).toBeGreaterThan(100);
  const wrong = dated.flatMap(({ at, take, typed }) =>
    ['0001-01-01', '1899-12-31', '2100-01-01', '9999-12-31']
      .filter((day) => take(typed.replace('2026-03-05', day)) !== undefined)
      .map((day) => `${at}: ${day}`),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

test('every field called 电话 or 手机 normalises a phone number, however it was typed', () => {
  const called = fields().filter(
    ({ at, title, take }) =>
      // A text with several numbers is split when it is sent.
      !at.endsWith(' mobiles') && /电话|手机|来电号码/.test(title) && typeof take('13900001101') === 'string',
  );
  expect(called.length).toBeGreaterThan(20);
  const wrong = called.filter(
    ({ take }) =>
      take('+86 １３９－００００－１１０１') !== '13900001101' ||
      ![undefined, '0551-63600000'].includes(take('０５５１—6360 0000') as string | undefined),
  );
  expect(wrong.map(({ at }) => at)).toEqual([]);
});

/** These fields name a person by user name, which can be typed in only one way. */
const byUserName = /leaders?\/|schedule/;

test('every field called 姓名, 联系人 and the like normalises a person’s name', () => {
  const called = fields().filter(
    ({ title, at, take }) =>
      /^(姓名|联系人|联系人姓名|汇报人|法定代表人|签收人)$/.test(title) &&
      typeof take('张三') === 'string' &&
      !byUserName.test(at),
  );
  expect(called.length).toBeGreaterThan(10);
  expect(called.filter(({ take }) => take(' 买买提 • 艾　力') !== '买买提·艾力').map(({ at }) => at)).toEqual([]);
});
