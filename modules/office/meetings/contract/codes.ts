import { codeSet } from '#kernel/contract/codes.ts';

export const meetType = codeSet({
  party: [1, '党委会'],
  office: [2, '办公会'],
  topical: [3, '专题会'],
  department: [4, '部门会'],
  training: [5, '培训'],
  academic: [6, '学术'],
  other: [9, '其他'],
});
export const meetMode = codeSet({ inPlace: [1, '线下'], online: [2, '线上'], both: [3, '线下和线上'] });
export const meetStatus = codeSet({
  coming: [0, '待召开', 'processing'],
  running: [1, '进行中', 'success'],
  over: [2, '已结束', 'default'],
  cancelled: [3, '已取消', 'error'],
});
export const signMode = codeSet({
  none: [0, '不签到'],
  code: [1, '扫码签到'],
  renewedCode: [2, '动态码签到'],
  byOthers: [3, '会务代签'],
});
export const signState = codeSet({
  none: [0, '未签'],
  signed: [1, '已签'],
  late: [2, '迟到'],
  absent: [3, '缺席'],
  excused: [4, '请假'],
});
export const replyState = codeSet({
  none: [0, '未回复'],
  comes: [1, '参加'],
  excused: [2, '请假'],
  sends: [3, '替会'],
});
/** The answer of a person who was asked to be a substitute. */
export const substituteState = codeSet({ asked: [0, '待接受'], comes: [1, '已接受'], declines: [2, '不能参加'] });
export const meetRole = codeSet({ host: [1, '主持'], attends: [2, '参会'], listens: [3, '列席'], writes: [4, '记录'] });
export const materialsFor = codeSet({ attendees: [1, '参会人员'], viewers: [2, '可见本会议的全部人员'] });
/** `this` date of a repeat, `following` dates with it, or `all` future ones. */
export const scopes = { this: '仅本次', following: '本次及以后', all: '全部尚未召开的' } as const;
