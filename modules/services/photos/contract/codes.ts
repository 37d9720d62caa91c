import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';

/** What a photo is just now. */
export const photoState = codeSet({
  pending: [0, '待审', 'processing'],
  shown: [1, '已上架', 'success'],
  down: [2, '已下架', 'default'],
  returned: [3, '已退回', 'error'],
});
export type State = CodeOf<typeof photoState>;

/** How those who can be recognised agreed. */
export const consent = codeSet({
  none: [0, '未取得'],
  said: [1, '口头同意'],
  written: [2, '书面同意'],
  announced: [3, '集体活动告知'],
});

/** Where a request for the whole picture stands. */
export const originalState = codeSet({
  open: [0, '待决定'],
  granted: [1, '已同意'],
  refused: [2, '未同意'],
  over: [3, '已结束'],
});

/** Days of a granted request, and how often it may be fetched. */
export const originalDays = 7;
export const originalTimes = 5;

export const mostTops = 5;
export const mostComs = 30;
/** Photos of one call. */
export const batch = 50;
/** Photos and bytes of one zip. */
export const mostZipped = 200;
export const mostZippedBytes = 2 ** 30;
/** Bits in which two pictures may differ and look the same, and within a burst. */
export const alikeBits = 6;
export const burstBits = 12;
export const trashDays = 30;
export const longestFile = 30 * 2 ** 20;

/** What a reviewer says most often. */
export const usualReasons = ['画面模糊', '与已有照片重复', '与主题不符', '缺少说明', '人物授权不全'] as const;
