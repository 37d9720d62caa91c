import { moneyText } from '#kernel/contract/money/money.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';

/** An action that the order's stage does not allow; the allowed ones are attached. */
export const notNow = refusal(
  codes.notNow,
  (sn: string, stage: string, act: string, _actions: readonly string[] = []) =>
    `订单 ${sn} 现在是“${stage}”，不能${act}，请刷新后按页面上的操作办理`,
  (_sn, _stage, _act, actions = []) => ({ actions }),
);
export const takenBy = refusal(codes.notNow, (sn: string, who: string) => `订单 ${sn} 已由${who}接单，请刷新任务列表`);
export const acceptedBy = refusal(codes.notNow, (sn: string, who: string) => `订单 ${sn} 已由${who}受理，请刷新列表`);
export const notOutside = refusal(codes.notNow, (sn: string) => `订单 ${sn} 由本单位人员提交，不需要受理，请直接派单`);
export const sentBy = refusal(
  codes.notNow,
  (sn: string, by: string, to: string) => `订单 ${sn} 已由${by}派给${to}，请刷新列表；需要改派时请打开订单重新派单`,
);
export const takenAlready = refusal(
  codes.notNow,
  (who: string) => `${who || '维修人员'}已接单，不能撤回；如不再需要，请联系报修受理处关闭`,
);
export const feeUnagreed = refusal(
  codes.notNow,
  (cost: number, materials: number, limit: number) =>
    `费用 ${moneyText(cost)} 元${materials > 0 ? `（含材料 ${moneyText(materials)} 元）` : ''}超过 ${moneyText(limit)} 元，须先申请费用审批，同意后才能完工`,
);
export const feePending = refusal(
  codes.notNow,
  (asked: number, cost: number) =>
    `费用 ${moneyText(asked)} 元正在审批，加上这些材料为 ${moneyText(cost)} 元；请等审批结束后再登记，并按新的费用重新申请`,
);
export const feeAfterFinish = refusal(
  codes.notNow,
  (cost: number, materials: number, limit: number) =>
    `订单已完工，加上这些材料费用为 ${moneyText(cost)} 元（含材料 ${moneyText(materials)} 元），超过免批的 ${moneyText(limit)} 元；请核对数量和单价，确需增加的请报修人先选“返工”，再申请费用审批`,
);
export const feeRefused = refusal(
  codes.notNow,
  (fee: number) => `费用 ${moneyText(fee)} 元的申请没有被同意，请改低费用或重新申请`,
);
export const onlyReporter = refusal(codes.forbidden, (act: string) => `${act}由报修人本人办理`);
export const ownWork = refusal(codes.forbidden, () => '办理过这张订单的人不能评价');
export const ratedAlready = refusal(codes.notNow, (what: string) => `${what}，评价提交后不能修改`);
export const ratedLate = refusal(codes.notNow, (day: string) => `完工已超过 30 天，评价已于 ${day} 截止`);
export const notOpen = refusal(codes.notNow, (sn: string, state: string) => `订单 ${sn} “${state}”，不能合并`);
export const sameOrder = refusal(codes.refused, () => '不能合并到自己，请选择另一张订单');
export const nobodyHandles = refusal(
  codes.refused,
  (team: string) => `“${team}”没有维修人员，请另选办理人，或联系管理员为班组人员分配“维修人员”角色`,
);
export const notHandlers = refusal(codes.refused, (names: string) => `${names}不是在岗的维修人员，请重新选择办理人`);
export const categoryOff = refusal(codes.refused, (name: string) => `故障类别“${name}”已停用，请选择其他类别`);
export const photoNeeded = refusal(codes.refused, (category: string) => `“${category}”完工须上传照片，请拍照后再提交`);
export const stornoOff = refusal(codes.refused, () => '这一行材料不在本订单中或已经冲销');
export const labelTaken = refusal(codes.conflict, (no: string) => `资产编号“${no}”已登记，请核对`);
export const categoryTaken = refusal(codes.conflict, (name: string) => `故障类别“${name}”已存在，请换一个名称`);
export const visitorsOff = refusal(codes.refused, () => '本单位没有开放访客报修，请登录后报修或拨打受理电话');
export const noVisitor = refusal(codes.signedOut, () => '手机验证已过期，请重新获取验证码');
export const visitorLimit = refusal(
  codes.tooMany,
  (count: number) => `一个手机号一天最多报修 ${count} 次，请明天再报，急事请拨打受理电话`,
);
export const photosFull = refusal(codes.refused, (most: number) => `每张订单最多 ${most} 张照片、共 10 MB`);
