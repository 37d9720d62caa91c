import { codes, refusal } from '#kernel/contract/refusal.ts';

export const unknownTemplate = refusal(codes.refused, () => '所选合同模板不存在或未启用，请重新选择');
export const noContent = refusal(codes.refused, () => '合同还没有文本，请选择示范文本、填写正文或上传文件后再提交');
export const unfilledVariables = refusal(
  codes.refused,
  (labels: readonly string[]) => `合同文本里还有未填写的内容：${labels.join('、')}，请填写后再提交`,
);
export const textMoved = refusal(
  codes.notNow,
  (no: number) => `合同文本与送审的第 ${no} 版不一致，不能继续；请退回起草人核对后重新提交`,
);
export const partyBanned = refusal(
  codes.refused,
  (name: string, until: string | null) =>
    `相对方“${name}”已被禁止签约${until ? `（至 ${until}）` : ''}，请更换相对方，或向合同管理员了解原因`,
);
export const partyTaken = refusal(
  codes.refused,
  (name: string) => `已有相对方“${name}”，请直接使用；确是同一家的可在相对方页面并入`,
);
export const codeTaken = refusal(
  codes.refused,
  (code: string, name: string) => `统一社会信用代码 ${code} 属于相对方“${name}”，请核对代码，或改用该相对方`,
);
export const standingNeedsReason = refusal(codes.refused, () => '暂停或禁止相对方须填写原因');
export const standingEnded = refusal(
  codes.refused,
  (until: string) => `暂停或禁止的截止日期 ${until} 已过，这样不起作用；请改为今天或以后的日期，或不填截止日期`,
);
export const mergeUnknown = refusal(codes.refused, () => '并入的相对方不存在、已被并入别处或就是自己，请重新选择');
export const templateUsed = refusal(
  codes.refused,
  (name: string, count: number) => `模板“${name}”已有 ${count} 份合同使用，不能删除；不再使用的请停用`,
);
export const templateDefault = refusal(
  codes.refused,
  (name: string, category: string) => `模板“${name}”是类别“${category}”的默认模板，请先在类别里更换`,
);
export const templateNameTaken = refusal(codes.refused, (name: string) => `已有模板“${name}”，请换个名称`);
export const variableUnknown = refusal(
  codes.refused,
  (keys: readonly string[]) => `正文里的变量 ${keys.join('、')} 没有在变量表里说明，请补充或从正文删去`,
);
export const variableTwice = refusal(codes.refused, (key: string) => `变量名“${key}”重复，请换一个`);
export const noEmptyTemplate = refusal(codes.refused, () => '模板没有正文，请填写后再保存');
export const noContractCode = refusal(codes.notNow, () => '合同提交审批之后才有核验码');
export const noPublicAddress = refusal(codes.refused, () => '系统还没有设置对外网址，请管理员设置 PUBLIC_URL');
export const otherCode = refusal(
  codes.refused,
  (name: string, known: string, given: string) =>
    `相对方“${name}”登记的统一社会信用代码是 ${known}，与填写的 ${given} 不一致，请核对`,
);
