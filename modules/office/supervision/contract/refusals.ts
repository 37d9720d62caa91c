import { codes, refusal } from '#kernel/contract/refusal.ts';

/** Names who may do it and in which state. */
export const notAllowed = refusal(
  codes.notNow,
  (what: string, state: string, act: string, who: string) =>
    `${what}“${state}”，现在不能${act}；${act}由${who}在规定的阶段办理`,
);
export const notBoth = refusal(
  codes.refused,
  (what: string) => `紧急事项“${what}”由批示领导决定，督办人和批示领导不能是同一个人，请交给其他人`,
);
export const ownReport = refusal(
  codes.forbidden,
  (what: string) => `${what}由本人（或本人代办的人）承办，不能自己审核，请由其他督办人或领导办理`,
);
export const notWorking = refusal(codes.refused, (who: string) => `${who}不是在职人员，请另选`);
export const ownProposal = refusal(
  codes.forbidden,
  () => '这次办结由您提请，不能再代批示领导决定，请由批示领导本人办理',
);
export const notTheirs = refusal(
  codes.refused,
  (who: readonly string[], what: string) =>
    `${who.join('、')}不能查看${what}的办理情况，不能提到；请另选，或先让其参与办理`,
);
export const dueWrong = refusal(
  codes.refused,
  (what: string, due: string, why: string) => `${what}的时限 ${due} ${why}，请修改后再提交`,
);
export const notFinished = refusal(
  codes.refused,
  (title: string) => `任务“${title}”没有办结，不需要重办；请只选已办结的任务`,
);
export const incomplete = refusal(
  codes.refused,
  (lacks: readonly string[]) => `还不能下发：${lacks.join('；')}。请补充后再下发`,
);
export const openSubs = refusal(
  codes.refused,
  (titles: readonly string[], then: string) =>
    `还有 ${titles.length} 项子任务没有完成（${titles.slice(0, 3).join('、')}${titles.length > 3 ? ' 等' : ''}），${then}`,
);
export const reasonNeeded = refusal(codes.refused, (act: string) => `${act}须填写原因，请补充后再提交`);
export const answerNeeded = refusal(codes.refused, () => '督办单已签收，请填写答复后再提交');
export const noteNeeded = refusal(codes.refused, () => '办结须填写办结说明，请补充后再提交');
export const percentWrong = refusal(
  codes.refused,
  (percent: number, why: string) => `完成比例 ${percent}% ${why}，请修改后再提交`,
);
export const evidenceMissing = refusal(
  codes.refused,
  (stages: readonly string[]) => `阶段“${stages.join('”“')}”要求提交佐证材料，请上传附件并勾选阶段后再提交`,
);
export const pending = refusal(codes.conflict, (what: string) => `${what}还没有处理，请等处理之后再提交`);
export const checkedBefore = refusal(codes.notNow, (who: string) => `已由${who}处理，无需重复操作`);
export const tooLate = refusal(
  codes.refused,
  (kind: string, until: string) => `${kind}须在 ${until} 之前提出，现在已经超过，请与督办人联系`,
);
export const extendedBefore = refusal(
  codes.refused,
  (times: number) => `每项任务最多延期 ${times} 次，已经用完，请按时限办理或由督办人调整`,
);
export const lastSub = refusal(
  codes.refused,
  (title: string) => `“${title}”是最后一项没有取消的子任务，不能取消；不再办理的请终止整个事项`,
);
export const stagesWrong = refusal(codes.refused, (sum: number) => `各阶段权重合计 ${sum}，应为 100，请调整后再提交`);
export const stageLate = refusal(
  codes.refused,
  (title: string, day: string, due: string) =>
    `阶段“${title}”的计划完成日 ${day} 晚于任务的时限 ${due}，请修改后再提交`,
);
export const noSheets = refusal(codes.refused, () => '所选事项没有符合条件的任务，请改选“下发给”或另选事项');
export const tooManySheets = refusal(
  codes.refused,
  (most: number) => `一次最多下发 ${most} 张督办单，请减少所选的事项`,
);
export const noDocuments = refusal(codes.refused, () => '公文模块没有启用，不能生成公文草稿，请复制通报内容另行发布');
