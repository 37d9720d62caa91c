import { codes, refusal } from '#kernel/contract/refusal.ts';

export const tooLate = refusal(
  codes.refused,
  (what: string, days: number, earliest: string) =>
    `${what}须提前 ${days} 个工作日申报，最早可在 ${earliest} 举办；请改期，或写明急办原因`,
);
export const tooManyLate = refusal(
  codes.refused,
  (late: number) => `主办部门有 ${late} 场活动逾期未总结，请先提交总结再申报`,
);
export const notConfirmed = refusal(
  codes.conflict,
  (said: string, _warnings: readonly string[]) => `${said}。请核对后确认提交`,
  (_said, warnings) => ({ warnings, can_force: true }),
);
export const judgedBefore = refusal(codes.refused, () => '申报内容是之前核对的，请在活动页面打开修改，核对后重新提交');
export const begunAlready = refusal(
  codes.notNow,
  (title: string, start: string) => `《${title}》的开始时间 ${start} 已过，请退回改期`,
);
export const holdLost = refusal(codes.notNow, (title: string) => `《${title}》的场地已不再保留，请退回重新选择场地`);
export const notNow = refusal(
  codes.notNow,
  (title: string, state: string, act: string) => `《${title}》现在是“${state}”，不能${act}`,
);
export const useCancel = refusal(
  codes.notNow,
  (title: string) => `《${title}》已通过，审批不再调整、关闭或作废；不再举办的，请在活动页面取消活动`,
);
export const notYours = refusal(codes.forbidden, (act: string, who: string) => `${act}由${who}办理，请联系其办理`);
export const noPhotos = refusal(
  codes.refused,
  (title: string) => `《${title}》的相册里还没有照片，请先上传活动照片；没有照片的，请打开“没有照片”再提交`,
);
export const deptOfOthers = '不是您所在或管辖的部门，请重新选择；为其他部门申报请联系党政办';
export const returnedOnce = refusal(codes.refused, () => '总结已退回过一次，请直接联系承办人补充');
