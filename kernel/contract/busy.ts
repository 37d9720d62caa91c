import { codes, refusal } from './refusal.ts';

/** What takes the machine long (setting, converting, drawing) is done in a line; these say that it is too long. */
export const lineFull = refusal(codes.notNow, () => '正在排版和转换的文件较多，请过一会儿再试');
export const ownLineFull = refusal(codes.notNow, (most: number) => `已有 ${most} 个文件在排队处理，请等它们完成后再试`);

/**
 * Of an answer, `waits`: the database is away, so what is read may be a moment old and nothing can be saved until it is back; `older`: it is
 * of an older history than what was saved, and nothing can be saved until somebody has looked at it.
 */
export const savingHeader = 'x-saving';
export type SavingWaits = 'waits' | 'older';
