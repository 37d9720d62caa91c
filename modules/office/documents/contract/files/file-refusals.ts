import { codes, refusal } from '#kernel/contract/refusal.ts';

export const fileLocked = refusal(
  codes.conflict,
  (name: string, who: string, until: string) =>
    `“${name}”正由${who}在线编辑，锁定至 ${until}，请等对方关闭后再保存，或与对方联系`,
  (_name, who, until) => ({ locked_by: who, lock_until: until }),
);
export const lockedByOwn = refusal(
  codes.conflict,
  (name: string, until: string) =>
    `“${name}”正由本人在线编辑，锁定至 ${until}，请先完成在线编辑再上传；编辑窗口已不在的，先选择“结束编辑”`,
  (_name, until) => ({ lock_until: until }),
);
export const editorOpen = refusal(
  codes.conflict,
  (name: string, who: string, until: string) =>
    `“${name}”正由${who}在线编辑（锁定至 ${until}），可能有内容还没有保存，请关闭编辑后再办理；编辑窗口已不在的，先在文件处选择“结束编辑”`,
  (_name, who, until) => ({ locked_by: who, lock_until: until }),
);
export const bodyUnread = refusal(
  codes.notNow,
  (name: string) =>
    `正文“${name}”刚刚保存，还没有读完，请过几秒再办理；一直如此的，是文件读不出来，请改正后重新保存或上传，或退回起草人`,
);
export const noSuchVersion = refusal(
  codes.refused,
  (name: string, versionNo: number) => `“${name}”没有可以恢复的第 ${versionNo} 版，请刷新后重新选择较早的版本`,
);
export const tooManyAttachments = refusal(codes.refused, () => '附件已有 20 个，不能再添加');
export const notLocked = refusal(codes.notNow, (name: string) => `“${name}”没有在线编辑，不用结束`);
export const savedMeanwhile = refusal(
  codes.stale,
  (name: string, who: string, versionNo: number) =>
    `“${name}”刚由${who}保存为第 ${versionNo} 版，请先查看该版，再决定是否上传`,
  (_name, who, versionNo) => ({ current: { version_no: versionNo, editor_alias: who } }),
);
export const otherKind = refusal(
  codes.refused,
  (name: string, ext: string) => `新版本须与原文件同为 ${ext} 文件，“${name}”不是；请作为新附件添加`,
);
export const fileFrozen = refusal(
  codes.notNow,
  (name: string, state: string) => `公文“${state}”，现在不能由您更换“${name}”；退回、收回之后或在复核时才能更换`,
);
export const keptAsReceived = refusal(
  codes.forbidden,
  () => '来文的正文和登记时的附件由登记来文的人更换，请把需要改动的告诉他们；要补充的，请另加附件',
);
export const secretOffline = refusal(codes.refused, (name: string) => `“${name}”属于涉密公文，不能在线打开或编辑`);
export const secretForbidden = refusal(codes.refused, () => '本系统不处理涉密公文，请按保密规定在涉密系统中办理');
export const changedInReview = refusal(
  codes.notNow,
  () => '正文或附件在复核时有修改，须由原签发人复审，请选择“有实质性修改，送原签发人复审”',
);
