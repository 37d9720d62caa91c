import { codes, refusal } from '#kernel/contract/refusal.ts';

export const nobodyToText = refusal(codes.refused, (total: number) =>
  total === 0
    ? '没有选择接收人，请选择人员、部门、角色、校友或填写手机号'
    : `所选 ${total} 个接收人都不能接收短信，请核对手机号、退订和同意情况`,
);
export const tooManyNumbers = refusal(
  codes.refused,
  (count: number, max: number) => `一次最多发给 ${max} 个号码，现有 ${count} 个，请分批发送`,
);
export const quotaSpent = refusal(
  codes.refused,
  (whose: string, wanted: number, left: number) =>
    `${whose}短信额度不足：本次需要 ${wanted} 条，还可发送 ${left} 条，请缩小范围或联系管理员`,
  (_whose, wanted, left) => ({ wanted, quota_left: left }),
);
export const strangeLink = refusal(
  codes.refused,
  (host: string) => `链接“${host}”不在允许的域名中，请删除该链接或联系管理员添加；不是链接的，请在点号后加空格`,
);
export const sensitive = refusal(codes.refused, (word: string) => `内容含有敏感词“${word}”，请修改后再发送`);
export const signatureInside = refusal(codes.refused, () => '内容里不能出现【】，签名由系统自动添加，请改用其他括号');
export const leavingPast = refusal(
  codes.refused,
  (at: string) => `发送时间 ${at} 已经过去，请选择今后的时间；要立即发送的，不填发送时间`,
);
export const leavingLate = refusal(codes.refused, (at: string) => `发送时间 ${at} 太晚，最晚在一年之内，请重新选择`);
export const placesOpen = refusal(codes.refused, (names: readonly string[]) => `请填写模板中的“${names.join('、')}”`);
export const contentTooLong = refusal(
  codes.refused,
  (length: number, max: number) => `内容有 ${length} 个字，最多 ${max} 个字，请精简后再发送`,
);
export const placeTooLong = refusal(
  codes.refused,
  (place: string, length: number, max: number) =>
    `“${place}”有 ${length} 个字，短信服务商一处最多 ${max} 个字，请缩短后再发送`,
);
export const templatePutAside = refusal(codes.refused, (title: string) => `模板“${title}”已停用，请换一个模板`);
export const templateReserved = refusal(
  codes.refused,
  (title: string) => `模板“${title}”用于验证码，由系统自动发送，请换一个模板`,
);
export const secondPerson = refusal(codes.refused, () => '本次发送由您提交，须由另一位有发送权限的人员复核');
export const confirmGone = refusal(codes.refused, () => '该批短信已发送、已撤销或确认码不正确，请刷新待复核列表');
export const nothingUnsent = refusal(codes.refused, () => '该批短信已全部发出或撤销，没有可以撤销的，请刷新列表');
export const notFailed = refusal(
  codes.refused,
  (state: string) => `该短信当前为“${state}”，只有失败或被限制的短信可以重发`,
);
export const notResendable = refusal(codes.refused, (why: string) => `不能重发：${why}`);
export const templateCodeTaken = refusal(codes.refused, (code: string) => `模板编码“${code}”已存在，请换一个编码`);
export const templateBuiltIn = refusal(
  codes.refused,
  (title: string) => `模板“${title}”由系统使用，不能删除或改编码，可以修改内容`,
);
export const erasedSince = refusal(codes.conflict, () => '所选校友中有人的资料刚刚被删除，请刷新后重新选择');
export const optedOutBefore = refusal(codes.refused, () => '该号码已在退订名单中，无需重复添加');
