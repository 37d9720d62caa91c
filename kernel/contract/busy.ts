import { codes, refusal } from './refusal.ts';

/** Refusals when the queue for slow work (typesetting, conversion, drawing) is too long. */
export const lineFull = refusal(codes.notNow, () => '正在排版和转换的文件较多，请过一会儿再试');
export const ownLineFull = refusal(codes.notNow, (most: number) => `已有 ${most} 个文件在排队处理，请等它们完成后再试`);

/**
 * The header says `waits` while the database is away: reads may be a moment old and nothing can be saved. It says `older` when the database has an
 * older history than what was saved, and nothing can be saved until an administrator has looked at it.
 */
export const savingHeader = 'x-saving';
export type SavingWaits = 'waits' | 'older';
