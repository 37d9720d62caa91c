import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { capitals } from './capitals.ts';
import { fenOf, maxMoney, money, moneyRead, moneyText, yuanOf } from './money.ts';

const fen = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: fenOf(maxMoney) }),
  // Mostly zeros, because the rule is difficult there.
  fc
    .array(fc.constantFrom('0', '0', '0', '0', '1', '7'), { minLength: 1, maxLength: 15 })
    .map((digits) => Number(digits.join(''))),
);

describe('an amount of money', () => {
  test('is a number with at most two decimals, from zero to the largest exactly representable amount', () => {
    for (const good of [0, 0.01, 0.1, 1, 1234.5, 1.15, 4.35, 8.2, 1_000_000.07, maxMoney])
      expect([good, money.safeParse(good).success]).toEqual([good, true]);
    for (const bad of [-0.01, 0.001, 1.005, 0.1 + 0.2, maxMoney + 0.01, 1e15, Number.NaN, Infinity, '1', null])
      expect([bad, money.safeParse(bad).success]).toEqual([bad, false]);
    expect(money.safeParse(1.234).error!.issues[0]!.message).toBe('金额最多两位小数');
  });

  test('converts to fen and back without loss, up to the largest', () => {
    fc.assert(
      fc.property(fen, (amount) => {
        expect(fenOf(yuanOf(amount))).toBe(amount);
        expect(money.safeParse(yuanOf(amount)).success).toBe(true);
        expect(moneyRead(moneyText(yuanOf(amount)))).toBe(yuanOf(amount));
      }),
      { numRuns: 5000 },
    );
  });

  test('is shown with separators and two decimals', () => {
    expect([0, 1, 999.9, 1000, 1_234_567.8, maxMoney].map(moneyText)).toEqual([
      '0.00',
      '1.00',
      '999.90',
      '1,000.00',
      '1,234,567.80',
      '9,999,999,999,999.99',
    ]);
  });

  test('is parsed as people type and paste it', () => {
    expect(
      ['1，234.50', '¥1,234.5', '１２３４．５０', ' 1 234.5 元', '人民币1234.5元', '1234。5'].map(moneyRead),
    ).toEqual(Array(6).fill(1234.5));
    expect(['', '元', '一千', '1.2.3', '-1', '1e5', '0x10'].map(moneyRead)).toEqual(Array(7).fill(null));
    expect(['1,00', '1,0000', '1 00', '1,2345.00', ',5', '1,'].map(moneyRead)).toEqual(Array(6).fill(null));
  });
});

/** A second implementation of the rule: it writes every digit with its unit, then strikes out what is not spoken. */
function secondReading(amount: number): string {
  const units = ['分', '角', '元', '拾', '佰', '仟', '万', '拾', '佰', '仟', '亿', '拾', '佰', '仟', '万'];
  const digits = String(amount).padStart(3, '0');
  const spelt = [...digits].map((digit, at) => '零壹贰叁肆伍陆柒捌玖'[Number(digit)]! + units[digits.length - 1 - at]!);
  const said = spelt
    .join('')
    .replace(/零[拾佰仟角分]/g, '零')
    .replace(/零+/g, '零')
    .replace(/零([万亿])/g, '$1')
    .replace(/亿万/, '亿零')
    .replace(/零+/g, '零');
  const [whole, part] = said.split('元') as [string, string];
  const yuan = whole.replace(/零$/, '');
  const endsInZero = digits.at(-3) === '0';
  const rest = part.replace(/零$/, '').replace(/^零/, '');
  if (rest === '') return `人民币${yuan || '零'}元整`;
  if (yuan === '') return `人民币${rest}${rest.endsWith('分') ? '' : '整'}`;
  const gap = endsInZero || !rest.includes('角') ? '零' : '';
  return `人民币${yuan}元${gap}${rest}${rest.endsWith('分') ? '' : '整'}`;
}

/** Parses capitals back into fen. */
function saidBy(words: string): number {
  let [all, myriad, group, digit] = [0, 0, 0, 0];
  let [whole, rest] = [0, 0];
  for (const letter of words.replace('人民币', '')) {
    const value = '零壹贰叁肆伍陆柒捌玖'.indexOf(letter);
    const ten = { 拾: 10, 佰: 100, 仟: 1000 }[letter];
    if (value >= 0) digit = value;
    else if (ten !== undefined) [group, digit] = [group + digit * ten, 0];
    else if (letter === '万') [myriad, group, digit] = [myriad + (group + digit) * 10_000, 0, 0];
    else if (letter === '亿') [all, myriad, group, digit] = [(myriad + group + digit) * 100_000_000, 0, 0, 0];
    else if (letter === '元') [whole, digit] = [all + myriad + group + digit, 0];
    else if (letter === '角') [rest, digit] = [rest + digit * 10, 0];
    else if (letter === '分') rest += digit;
  }
  return whole * 100 + rest;
}

describe('an amount in Chinese capitals', () => {
  test.each([
    [0, '人民币零元整'],
    [0.05, '人民币伍分'],
    [0.5, '人民币伍角整'],
    [10, '人民币壹拾元整'],
    [1000, '人民币壹仟元整'],
    [10_000.1, '人民币壹万元零壹角整'],
    [1409.5, '人民币壹仟肆佰零玖元伍角整'],
    [6007.14, '人民币陆仟零柒元壹角肆分'],
    [1680.32, '人民币壹仟陆佰捌拾元零叁角贰分'],
    [107_000.53, '人民币壹拾万柒仟元零伍角叁分'],
    [16_409.02, '人民币壹万陆仟肆佰零玖元零贰分'],
    [325.04, '人民币叁佰贰拾伍元零肆分'],
    [100_010_000, '人民币壹亿零壹万元整'],
    [1_000_000_000_001, '人民币壹万亿零壹元整'],
  ])('of %d is %s, as in the examples of the rule', (amount, words) => {
    expect(capitals(amount)).toBe(words);
  });

  const values = process.env['NIGHTLY'] ? 1_000_000 : 30_000;
  test(`agrees with a second implementation, and converts back to the amount, for ${values} values`, () => {
    const random = fc.sample(fen, { numRuns: values / 2, seed: 20_261_122 });
    const wrong = [...Array.from({ length: values / 2 }, (_one, at) => at), ...random].filter((amount) => {
      const words = capitals(yuanOf(amount));
      return words !== secondReading(amount) || saidBy(words) !== amount;
    });
    expect(wrong.slice(0, 10).map((amount) => [amount, capitals(yuanOf(amount)), secondReading(amount)])).toEqual([]);
  }, 300_000);
});
