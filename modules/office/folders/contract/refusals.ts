import { codes, refusal } from '#kernel/contract/refusal.ts';

export const unknownCategory = refusal(codes.refused, () => '所选分类不存在、已停用或不在您的管理范围内，请重新选择');
export const unknownManagers = refusal(
  codes.refused,
  (names: readonly string[]) => `找不到在职人员“${names.join('、')}”，请重新选择`,
);
export const unknownFlow = refusal(codes.refused, () => '所选流程不存在、未发布，或不是制度发布流程，请重新选择');

export const numberTaken = refusal(codes.refused, (fwh: string) => `发文字号“${fwh}”已被使用，请核对后重新填写`);
export const deptOutside = refusal(codes.refused, () => '发布部门不存在或不在您的管理范围内，请重新选择');
export const scopeEmpty = refusal(codes.refused, () => '请选择阅读范围：全体人员，或部门、角色、人员');
export const nothingToRead = refusal(codes.refused, () => '没有正文，请填写正文或上传正文文件后再发布');
/** A day that lies before another which it must not precede, with the names of both. */
export const daysCrossed = refusal(codes.refused, (late: string, early: string) => `${late}早于${early}，请重新填写`);
export const deadlinePast = refusal(codes.refused, (day: string) => `阅读期限 ${day} 已过，请选择今天或以后的日期`);
export const notYet = refusal(
  codes.refused,
  (day: string) => `发布日期 ${day} 还没有到，请改为今天或以前的日期，或到那天再发布`,
);
export const expired = refusal(
  codes.refused,
  (day: string) => `失效日期 ${day} 已过，不能作为现行有效的文件发布；请改为今天或以后的日期，或不填失效日期`,
);
export const nobodyMeant = refusal(
  codes.refused,
  () => '这份必读文件没有人会读到：阅读范围里的人都在分类的可见部门之外，请修改阅读范围',
);
export const repealUnsaid = refusal(codes.refused, () => '废止文件请填写废止原因和废止日期');
export const repealAhead = refusal(
  codes.refused,
  (day: string) => `废止日期 ${day} 还没有到，请改为今天或以前的日期，或到那天再废止`,
);
export const replaceUnknown = refusal(codes.refused, () => '被修订的文件不存在、不是现行有效或不在您的管理范围内');
export const revisionPending = refusal(
  codes.conflict,
  (title: string, who: string, since: string) =>
    `“${title}”的修订稿已由 ${who} 于 ${since} 起草，一份文件同时只有一份修订稿；请在该稿上修改，或由其删除后再修订`,
);
export const replacedBefore = refusal(codes.refused, (title: string) => `“${title}”已有修订版，不能再次修订`);

/** An act that a paper's status does not allow, with what to do instead. */
export const otherStatus = refusal(codes.notNow, (status: string, why: string) => `文件“${status}”，${why}`);
export const otherFlow = refusal(
  codes.refused,
  () => '文件已发布或已提交审批，不能移到发布审批流程不同的分类，请选择流程相同的分类',
);
export const textKept = refusal(codes.notNow, () => '已发布文件的正文和正文文件不能修改，请发布修订版');
export const approvedKept = refusal(
  codes.notNow,
  () => '文件经审批发布，标题、正文和附件不能直接修改，请发布修订版，审批通过后生效',
);

export const notMustRead = refusal(codes.refused, () => '该文件不需要您确认');
export const notOpened = refusal(codes.refused, () => '请先打开文件阅读，再确认已读');
export const quizUnanswered = refusal(codes.refused, (count: number) => `请先回答 ${count} 道题，再确认已读`);
export const quizWrong = refusal(
  codes.refused,
  (right: number, count: number) => `${count} 题中答对 ${right} 题，请对照正文再答一次`,
);
export const askOneThing = refusal(codes.refused, () => '请说明是确认已读还是催读');
export const nobodyToUrge = refusal(codes.refused, () => '没有可催读的人：范围内未阅读的只有您本人，或已离职');
