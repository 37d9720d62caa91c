import { expect, test } from 'vitest';
import { maskedNumberIn, maskIn, maskPhones } from './mask-phones.ts';

test.each([
  ['13812345678', '138****5678'],
  ['+8613812345678', '+86138****5678'],
  ['8613812345678', '86138****5678'],
  ['008613812345678', '0086138****5678'],
  ['+86 138-1234-5678', '+86 138****5678'],
  ['138-1234-5678', '138****5678'],
  ['电话：138 1234 5678，请回', '电话：138****5678，请回'],
  ['13812345678、13987654321', '138****5678、139****4321'],
])('of %s the middle is hidden', (text, masked) => {
  expect(maskPhones(text)).toBe(masked);
});

test.each(['20261121138123456789', '1381234567', '138123456789', '12812345678', '2026-1381-2345-678', '62001138'])(
  'the number %s is no mobile number and stays',
  (text) => {
    expect(maskPhones(text)).toBe(text);
  },
);

test('an eleven-digit number is kept in fields for identifiers, and masked in remarks and accounts', () => {
  for (const title of ['学号', '合同编号', '发票号', '工号'])
    expect(maskIn(title, '13812345678'), title).toBe('13812345678');
  for (const title of ['手机', '手机号', '联系电话', '备注', '微信账号', '支付宝账号'])
    expect(maskIn(title, '13812345678'), title).toBe('138****5678');
});

test('every number that a sheet hides is found when the sheet is brought in, also in the middle of a text and in full width', () => {
  for (const text of ['13512345678', '+8613512345678', '电话 135-1234-5678 转 2', '学号路 13600136000 号'])
    expect(maskedNumberIn(undefined, maskPhones(text)), text).toMatch(/^1\d\d\*{4}\d{4}$/);
  expect(maskedNumberIn(undefined, '135＊＊＊＊5678')).toBe('135****5678');
  expect(maskedNumberIn(undefined, '*******5678')).toBe('*******5678');
  expect(maskedNumberIn('phone', '0571-8800****')).toBe('0571-8800****');
  for (const text of ['13512345678', '**重要**', '135****', '****5678', 'a*b'])
    expect(maskedNumberIn(undefined, text), text).toBeNull();
});
