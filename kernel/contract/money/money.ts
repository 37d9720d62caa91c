import { z } from 'zod';

/** The largest amount in yuan: up to here a JavaScript number distinguishes every fen. */
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

/** Converts yuan to whole fen for calculations, because sums of yuan in floating point are inexact. */
export const fenOf = (amount: number): number => Math.round(amount * 100);
/** Converts fen to yuan. */
export const yuanOf = (fen: number): number => Number((fen / 100).toFixed(2));

/** Formats an amount as `1,234,567.80`. */
export const moneyText = (amount: number): string => amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');

/** Removes the thousands separators of a number; null if a comma or blank stands elsewhere than between groups of three digits, as in 1,00. */
export function ungrouped(number: string): string | null {
  if (!/[,\s]/.test(number)) return number;
  return /^-?\d{1,3}([,\s])\d{3}(?:\1\d{3})*(?:\.\d*)?$/.test(number) ? number.replace(/[,\s]/g, '') : null;
}

/** Parses an amount that was typed or pasted, with thousands separators, full-width digits or a unit around it; null if it is not an amount. */
export function moneyRead(typed: string): number | null {
  const plain = typed
    .normalize('NFKC')
    .trim()
    .replace(/^(?:人民币)?\s*¥?\s*|\s*元$/g, '')
    .replace('。', '.');
  const number = ungrouped(plain);
  return number !== null && /^\d{1,14}(\.\d*)?$|^\.\d+$/.test(number) ? Number(number) : null;
}
