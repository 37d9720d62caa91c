import { z } from 'zod';

/** Most of one amount, in yuan: up to here a number of JavaScript tells every fen from the next. */
export const maxMoney = 9_999_999_999_999.99;

/** An amount in yuan on the wire: a number, not below zero, with at most two decimals. */
export const money = z
  .number('请输入金额，如 1234.50')
  .min(0, '金额不能小于 0')
  .max(maxMoney, '金额过大，请核对')
  .refine(hasWholeFen, '金额最多两位小数')
  .meta({ kind: 'money' });

function hasWholeFen(amount: number): boolean {
  return Number(amount.toFixed(2)) === amount;
}

/** An amount in whole fen, to reckon with: sums of yuan in floating point go astray. */
export const fenOf = (amount: number): number => Math.round(amount * 100);
/** The amount that so many fen are. */
export const yuanOf = (fen: number): number => Number((fen / 100).toFixed(2));

/** `1,234,567.80`. */
export const moneyText = (amount: number): string => amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');

/** The amount somebody typed or pasted, with separators, full-width digits or a unit about it; null for what is none. */
export function moneyRead(typed: string): number | null {
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s,，]|^[¥￥]|^人民币|元$/g, '')
    .replace('。', '.');
  return /^\d{1,14}(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : null;
}
