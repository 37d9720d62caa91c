/** What a photo is just now. */
export const states = { 0: '待审', 1: '已上架', 2: '已下架', 3: '已退回' } as const;
export const state = { pending: 0, shown: 1, down: 2, returned: 3 } as const;
export type State = keyof typeof states;

/** How those who can be recognised agreed. */
export const consents = { 0: '未取得', 1: '口头同意', 2: '书面同意', 3: '集体活动告知' } as const;

/** Where a request for the whole picture stands. */
export const originalStates = { 0: '待决定', 1: '已同意', 2: '未同意', 3: '已结束' } as const;
export const asked = { open: 0, granted: 1, refused: 2, over: 3 } as const;

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
