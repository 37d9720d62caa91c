export const types = {
  1: '党委会',
  2: '办公会',
  3: '专题会',
  4: '部门会',
  5: '培训',
  6: '学术',
  9: '其他',
} as const;
export const modes = { 1: '线下', 2: '线上', 3: '线下和线上' } as const;
export const statuses = { 0: '待召开', 1: '进行中', 2: '已结束', 3: '已取消' } as const;
export const status = { coming: 0, running: 1, over: 2, cancelled: 3 } as const;
export const signModes = { 0: '不签到', 1: '扫码签到', 2: '动态码签到', 3: '会务代签' } as const;
export const signStates = { 0: '未签', 1: '已签', 2: '迟到', 3: '缺席', 4: '请假' } as const;
export const replies = { 0: '未回复', 1: '参加', 2: '请假', 3: '替会' } as const;
export const reply = { none: 0, comes: 1, excused: 2, sends: 3 } as const;
export const roles = { 1: '主持', 2: '参会', 3: '列席', 4: '记录' } as const;
export const materialsFor = { 1: '参会人员', 2: '可见本会议的全部人员' } as const;
/** `this` date of a repeat, the `following` with it, or `all` that are to come. */
export const scopes = { this: '仅本次', following: '本次及以后', all: '全部尚未召开的' } as const;
