import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phone, telephone } from '../shapes.ts';
import { telephoneOf } from './mobile.ts';

test('a mobile number is normalised to one form however it is typed, in every form', () => {
  for (const typed of [
    '13812345678',
    '138 1234 5678',
    '138-1234-5678',
    '１３８１２３４５６７８',
    '+86 138–1234–5678',
    '008613812345678',
  ])
    expect(phone.parse(typed), typed).toBe('13812345678');
  for (const typed of ['1381234567', '23812345678', '138123456789', '0591-87654321', ''])
    expect(phone.safeParse(typed).success, typed).toBe(false);
});

test('a phone number is normalised whatever its width, dashes and blanks, and keeps its extension', () => {
  for (const typed of [
    '0551-63600000',
    '０５５１－６３６０００００',
    '(0551) 6360 0000',
    '0551—63600000',
    ' 0551 63600000 ',
  ])
    expect(telephone(30).parse(typed), typed).toBe('0551-63600000');
  for (const typed of ['010 6512 3456', '（010）65123456'])
    expect(telephone(30).parse(typed), typed).toBe('010-65123456');
  for (const typed of ['0551-63600000转801', '0551 - 63600000　转　801'])
    expect(telephone(30).parse(typed), typed).toBe('0551-63600000转801');
  expect(telephone(30).parse('+86 138–1234–5678')).toBe('13812345678');
  expect(['400-820-8820', '8801、８８０２', '', '转801'].map(telephoneOf)).toEqual([
    '400-820-8820',
    '8801、8802',
    '',
    '转801',
  ]);
});

test('normalising a phone number twice gives the same as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0150382１（）() -—转　') }), (typed) => {
      expect(telephoneOf(telephoneOf(typed))).toBe(telephoneOf(typed));
    }),
  );
});
