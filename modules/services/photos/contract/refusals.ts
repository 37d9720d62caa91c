import { codes, invalid, refusal } from '#kernel/contract/refusal.ts';

export const notIntoAlbum = refusal(codes.refused, (name: string, why: string) => `不能上传到相册“${name}”：${why}`);
export const sentBefore = refusal(
  codes.refused,
  /** `there` is the existing photo; null for users who may not see it. */
  (album: string, there: { id: number; title: string } | null) =>
    `这张照片已在“${album}”中${there ? `：《${there.title}》` : ''}，没有重复保存`,
  (_album, there) => ({ duplicate_of: there?.id ?? null }),
);
/** A time at which no photo can have been taken. */
export const takenWrong = (at: string) =>
  invalid([{ field: 'taken_at', label: '拍摄时间', msg: `${at.slice(0, 16)} 还没有到，请核对后修改；不知道的不用填` }]);
export const notAPhoto = refusal(codes.refused, () => '所选文件不是照片，请重新上传');
export const photoIs = refusal(
  codes.refused,
  (title: string, is: string, act: string) => `《${title}》${is}，不能${act}`,
);
export const notReady = refusal(
  codes.refused,
  (title: string, lacks: readonly string[]) => `《${title}》还不能采用：${lacks.join('；')}`,
);
export const ownPhoto = refusal(codes.refused, (title: string) => `《${title}》是您自己上传的，请由其他审核人审核`);
export const reasonWanted = refusal(codes.invalid, (act: string) => `请填写${act}原因`);
export const topsFull = refusal(
  codes.conflict,
  (what: string, most: number, titles: readonly string[]) =>
    `${what}最多 ${most} 张，现有 ${titles.map((title) => `《${title}》`).join('、')}，请先取消一张`,
);
export const notToUndo = refusal(codes.refused, (title: string) => `《${title}》不是您刚审核的，不能撤销`);
export const unchanged = refusal(
  codes.refused,
  (title: string) => `《${title}》退回后还没有修改，请按退回原因修改，或在说明中答复后再提交`,
);
export const notACover = refusal(codes.refused, () => '封面须是这个相册中已上架的照片，请重新选择');
export const consentMissing = refusal(
  codes.refused,
  (titles: readonly string[]) =>
    `${titles.map((title) => `《${title}》`).join('、')}中的人物没有有效授权，只能在系统内查看`,
);
export const askedBefore = refusal(
  codes.refused,
  (title: string) => `您已申请《${title}》的原图，请等待决定或直接下载`,
);
export const decidedBefore = refusal(codes.refused, (is: string) => `该申请${is}，无需再办`);
export const notYours = refusal(codes.forbidden, (act: string, who: string) => `只有${who}可以${act}`);
export const originalOver = refusal(codes.refused, (why: string) => `不能下载原图：${why}，需要时请重新申请`);
export const zipTooBig = refusal(
  codes.refused,
  (size: string, most: string) => `所选照片共 ${size}，超过一次打包的 ${most}，请分几次下载`,
);
export const unknownPeople = refusal(
  codes.refused,
  (names: readonly string[]) => `没有找到：${names.join('、')}，请重新选择`,
);
