import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';

/** The state of a photo. */
export const photoState = codeSet({
  pending: [0, '待审', 'processing'],
  shown: [1, '已上架', 'success'],
  down: [2, '已下架', 'default'],
  returned: [3, '已退回', 'error'],
});
export type State = CodeOf<typeof photoState>;

/** The consent of the recognisable people. */
export const consent = codeSet({
  none: [0, '未取得'],
  said: [1, '口头同意'],
  written: [2, '书面同意'],
  announced: [3, '集体活动告知'],
});

/** The state of a request for the original. */
export const originalState = codeSet({
  open: [0, '待决定'],
  granted: [1, '已同意'],
  refused: [2, '未同意'],
  over: [3, '已结束'],
});

/** The days a granted request is valid, and its number of downloads. */
export const originalDays = 7;
export const originalTimes = 5;

export const mostTops = 5;
export const mostComs = 30;
/** The limit of photos per call. */
export const batch = 50;
/** The limits of photos and bytes per zip. */
export const mostZipped = 200;
export const mostZippedBytes = 2 ** 30;
/** The numbers of differing bits up to which two pictures look the same, and belong to a burst. */
export const alikeBits = 6;
export const burstBits = 12;
export const trashDays = 30;
export const longestFile = 30 * 2 ** 20;

/** The most frequent reasons of reviewers. */
export const usualReasons = ['画面模糊', '与已有照片重复', '与主题不符', '缺少说明', '人物授权不全'] as const;
