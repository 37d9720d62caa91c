import { codes, refusal } from '#kernel/contract/refusal.ts';

export const nameTaken = refusal(codes.refused, (name: string) => `印章“${name}”已经登记，请换一个名称`);
export const numberTaken = refusal(codes.refused, (no: string) => `印章编号“${no}”已被使用，请核对后重新填写`);
export const unknownPerson = refusal(
  codes.refused,
  (role: string, name: string) => `${role}“${name}”不存在或已停用，请重新选择`,
);
export const samePerson = refusal(
  codes.refused,
  (one: string, other: string, who: string) => `${who}不能既是${one}又是${other}，请另选一人`,
);
export const noDesk = refusal(
  codes.refused,
  (role: string, who: string) =>
    `${role}${who}没有“用印办理”的权限，接手后不能盖章，请先授予“印章保管员”角色或另选一人`,
);
export const secondNeeded = refusal(
  codes.refused,
  (name: string) => `“${name}”是须双人用印的印章，没有监印人或备岗就无人可以确认，请选择监印人`,
);
export const deptOutside = refusal(codes.refused, () => '所属部门不存在或不在管理范围内，请重新选择');
export const useDeptsUnknown = refusal(codes.refused, () => '所选可用部门有的不存在，请重新选择');
export const unknownFlow = refusal(codes.refused, () => '所选流程不存在、未发布，或不是用印审批流程，请重新选择');
export const wasUsed = refusal(codes.notNow, (name: string) => `“${name}”有用印或保管记录，不能删除，请办理收缴或销毁`);

/** An act that the status of a seal does not allow, with what to do instead. */
export const otherStatus = refusal(
  codes.notNow,
  (name: string, status: string, act: string) => `“${name}”现在是“${status}”，不能${act}`,
);
export const notYours = refusal(codes.forbidden, (act: string, who: string) => `${act}由${who}办理，请联系其办理`);
export const notByHand = refusal(codes.refused, (kind: string) => `“${kind}”随用印办理自动登记，不用单独登记`);
export const missing = refusal(codes.refused, (what: string, kind: string) => `办理${kind}请${what}`);
export const wrongLabel = refusal(
  codes.refused,
  (read: string, name: string, no: string) => `扫到的标签是“${read}”，“${name}”的编号是“${no}”，请核对印章`,
);
export const caretakerPeriod = refusal(codes.refused, () => '代管时间应从现在或以后开始，最长 15 天，请重新选择');
export const caretakerTaken = refusal(
  codes.conflict,
  (name: string) => `“${name}”在这段时间已有代管（或待签收的代管），请另选时间或先办理代管归还`,
);
export const noCaretaker = refusal(codes.notNow, (name: string) => `“${name}”现在没有人代管，不用办理代管归还`);
export const handOverPending = refusal(
  codes.conflict,
  (name: string) => `“${name}”已有待签收的交接、收缴或销毁，请等它办结，或由提出人撤销`,
);
export const confirmFirst = refusal(
  codes.notNow,
  (name: string, count: number) => `“${name}”还有 ${count} 件用印待监印，请先办完再交接`,
);
export const stillOpen = refusal(
  codes.notNow,
  (name: string, what: string) => `“${name}”还有${what}，请先办理完毕再收缴或销毁`,
);
export const decidedBefore = refusal(codes.notNow, (state: string) => `这件事项“${state}”，不能再办理`);
export const signIt = refusal(codes.refused, () => '请手写签名，或输入登录密码');
export const wrongPassword = refusal(codes.refused, () => '登录密码不正确，请重新输入');
export const signedBefore = refusal(codes.notNow, () => '已经签过名，请等另一位见证人签名');

export const notTheKeeper = refusal(
  codes.forbidden,
  (name: string) => `只有“${name}”的保管人可以更正这条台账，请联系其办理`,
);
export const correctedBefore = refusal(codes.notNow, () => '这条台账已更正过一次，不能再更正');
export const tooLate = refusal(codes.notNow, (day: string) => `台账只能在用印后一个工作日内更正，这条已于 ${day} 截止`);
export const nothingToCorrect = refusal(codes.refused, () => '没有要更正的内容，请填写更正后的份数或页数');
export const copiesBeyond = refusal(
  codes.refused,
  (real: number, approved: number) => `份数 ${real} 超过批准的 ${approved} 份，请核对后重新填写`,
);
export const handledBefore = refusal(codes.notNow, (who: string) => `这条异常已由${who}处理`);
export const monthEmpty = refusal(codes.refused, (month: string) => `${month} 没有用印记录，请另选月份`);
