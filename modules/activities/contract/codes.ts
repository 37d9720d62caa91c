// What the numbers of activities mean, said once for both sides.
export const activityTypes = {
  1: '学术讲座',
  2: '论坛、报告会、研讨会',
  3: '文体活动',
  4: '庆典',
  5: '培训',
  6: '对外交流',
  7: '招聘宣讲',
  8: '社团活动',
  9: '其他',
} as const;
export const audiences = { 1: '学生', 2: '教职工', 3: '全校师生', 4: '校外人员' } as const;
export const needs = { room: '会场布置', car: '用车', photo: '摄影', reception: '接待' } as const;
export const activityStatuses = { 0: '待举办', 1: '进行中', 2: '待总结', 3: '已总结', 4: '已取消' } as const;
export const status = { coming: 0, running: 1, toSummarise: 2, summarised: 3, cancelled: 4 } as const;

/** Reviews an activity may need besides those of its heads, in the order they are asked. */
export const reviews = {
  publicity: '宣传部门审核',
  foreign: '国际交流部门审核',
  safety: '保卫部门审核',
  place: '场地审核',
} as const;
export type Review = keyof typeof reviews;
export const reviewKeys = Object.keys(reviews) as Review[];

export const typeText = (type: number | null) => activityTypes[type as 1] ?? '未选类型';
