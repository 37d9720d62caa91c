import { codes, refusal } from '#kernel/contract/refusal.ts';

export const noWorkflow = refusal(codes.refused, (kind: string) => `“${kind}”的流程已停用或尚未发布，请联系流程管理员`);
export const notEditable = refusal(
  codes.notNow,
  (state: string) => `公文“${state}”，现在不能由您修改；退回或收回之后才能修改`,
);
export const bodyLocked = refusal(
  codes.notNow,
  (fields: string) => `公文已经签发，不能再修改${fields}；确需修改的，请在复核时退回签发人`,
);
export const paperLocked = refusal(
  codes.notNow,
  () => '公文已经分发，字号、红头和版记不再修改；确需修改的，请退回到前面的环节，改好后重新办理',
);
export const numberStays = refusal(
  codes.notNow,
  (number: string) =>
    `公文已经编为“${number}”，机关代字和预留号不再修改；确需换号的，请将公文作废、由起草人另行起草，作废的号留在发文字号簿里`,
);
export const notWithAuthor = refusal(codes.notNow, (state: string) => `公文“${state}”，不能重新提交，请刷新查看`);
export const notDeletable = refusal(
  codes.notNow,
  (state: string) =>
    `公文“${state}”，不能删除；只有没有提交过的草稿可以由起草人删除，退回和收回后不再需要的请关闭，已办结的请办公室作废`,
);
export const archivedAlready = refusal(codes.notNow, (no: string) => `公文已归档（${no}），不能再修改`);
export const onlyIssuerSigns = refusal(
  codes.refused,
  (issuer: string) => `本文标注的签发人是“${issuer}”，只能由其签发；需要换人签发的请退回修改签发人`,
);
export const signatureNotHandedOn = refusal(
  codes.refused,
  (issuer: string) =>
    `本文标注的签发人是“${issuer}”，只能由其签发，签发不能转交；需要换人签发的，请由其退回起草人，或调整到办公室核稿环节，改选签发人后再送签发`,
);
export const returnStays = refusal(
  codes.notNow,
  () => '公文签发后退回了起草人，签发和用印申请随之失效，这次退回不能撤回；请由起草人重新提交，再次签发',
);
export const replyWanted = refusal(
  codes.refused,
  () => '请示还没有批复或复函，不能办结。请先办理批复或复函，并在其中选定“答复的公文”；不另行文答复的，请登记答复情况',
);
export const noAnswerWanted = refusal(
  codes.notNow,
  () => '只有已经发出或正在办理、还没有办结的请示可以登记答复情况，请刷新查看',
);
export const confirmWanted = refusal(
  codes.conflict,
  (phrase: string) => `报告中不得夹带请示事项，正文里有“${phrase}”。请删去，或在公文的表单里确认这不是请示`,
  (phrase) => ({ conflicts: [phrase], can_force: true }),
);
export const addressedTwice = refusal(
  codes.conflict,
  (line: string) =>
    `正文里有自己的主送“${line}”，成品上会与“主送”各印一行。请从正文里删去，或修改“主送”，或在公文的表单里确认这一行不是主送`,
  (line) => ({ conflicts: [line], can_force: true }),
);
export const leadDeptMissing = refusal(
  codes.refused,
  () => '请选择主办部门；只传阅、不需要承办的，请勾选“阅件”并选择传阅对象',
);
export const readersMissing = refusal(codes.refused, () => '勾选了“阅件”，请选择传阅对象');
export const deptWithoutHead = refusal(
  codes.refused,
  (dept: string) => `“${dept}”没有负责人，承办任务交不出去，请先在部门管理中设置负责人，或改选部门`,
);
export const notRegistrar = refusal(codes.forbidden, () => '来文由党政办或秘书登记，请把来文转给他们');
export const registeredBefore = refusal(
  codes.conflict,
  (earlier: { from_org: string; from_number: string; receipt_no: string; day: string }) =>
    `“${earlier.from_org}”的“${earlier.from_number}”已于 ${earlier.day} 登记${earlier.receipt_no && `为${earlier.receipt_no}`}`,
  (earlier) => ({ conflicts: [earlier.from_number], can_force: true }),
);
export const receivedInFuture = refusal(
  codes.conflict,
  (day: string) => `收文日期 ${day} 还没有到`,
  (day) => ({ conflicts: [day], can_force: true }),
);
export const numberBeforeSigning = refusal(codes.refused, () => '公文尚未签发，不能编号，请签发后再登记');
export const notIssuable = refusal(
  codes.refused,
  (lacks: string) => `公文还没有${lacks}，不能办结；请调整到${lacks}的环节办理，不再办理的请关闭`,
);
export const numberRuleMissing = refusal(codes.refused, () => '公文没有选定机关代字，请先在公文里选择再登记编号');
export const levelNotChangeable = refusal(codes.notNow, (why: string) => `现在不能调整紧急程度：${why}`);
export const dueNotChangeable = refusal(codes.notNow, (why: string) => `现在不能调整办理时限：${why}`);
export const nobodyToUrge = refusal(codes.notNow, (state: string) => `公文“${state}”，没有等待其他人办理，不需要催办`);
export const mayNotUrge = refusal(codes.forbidden, () => '只有起草人、办公室和主办部门可以催办');

export const urgedElsewhere = refusal(codes.notNow, () => '公文请在公文页面催办，同一人两小时内只催办一次');

export const agencyTaken = refusal(codes.refused, (code: string) => `机关代字“${code}”已经有了，请换一个`);
export const ruleInUse = refusal(
  codes.refused,
  (agency: string, count: number) => `“${agency}”已经用过 ${count} 个号或有类别在用，不能删除，可以停用`,
);
export const startLocked = refusal(
  codes.refused,
  (agency: string) => `“${agency}”已经编过号，不能再改机关代字和起始号，请新建一个`,
);
export const numberRuleOff = refusal(codes.refused, (agency: string) => `机关代字“${agency}”已停用，请在公文里改选`);
export const reservedGone = refusal(
  codes.refused,
  (number: string) => `预留的 ${number} 已被使用或作废，请另选预留号，或改用下一个号`,
);
export const numberInBook = refusal(codes.refused, (number: string) => `${number} 已在字号簿里，请换一个序号`);
export const numberTooEarly = refusal(codes.refused, (year: number) => `${year} 年还早，最多为下一年预留字号`);
export const numberTooFar = refusal(
  codes.refused,
  (number: string, next: string) => `${number} 超出当前编号太多，下一个号是 ${next}，请核对序号`,
);
export const numberUsed = refusal(
  codes.refused,
  (number: string, title: string) => `${number} 正由《${title}》使用，公文作废之后才能作废这个号`,
);
export const numberUnknown = refusal(codes.refused, (number: string) => `${number} 还没有编到，不能作废`);
export const alreadyVoid = refusal(codes.refused, (number: string) => `${number} 已经作废`);
