import { z } from 'zod';
import { unfilled } from '#kernel/contract/refusal.ts';
import { name } from '#kernel/contract/shapes.ts';

const unseen = /[\uFE00-\uFE0F\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
/** A name as the database compares names (`plain_name`): half-width, small, without blanks and what nobody sees. */
export const plainly = (text: string) => text.normalize('NFKC').replace(unseen, '').toLowerCase();

/** A name of which something is seen. */
export const seenName = (max: number) => name(max).refine((value) => plainly(value) !== '', unfilled);

/** Opened by whoever clicks it: a page, and nothing that runs. */
export const webAddress = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `最多 ${max} 个字`)
    .regex(/^(https?:\/\/[^\s\p{Cc}]+)?$/u, '请填写以 http:// 或 https:// 开头的网址')
    .default('');
