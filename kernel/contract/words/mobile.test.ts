import { expect, test } from 'vitest';
import { phone } from '../shapes.ts';

test('a mobile number is one number however it is typed, in every form that asks for one', () => {
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
