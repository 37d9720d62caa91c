import { codes, refusal } from '#kernel/contract/refusal.ts';

export interface Clash {
  leader: string;
  time: string;
  /** 忙 if the reader may not know more. */
  title: string;
}
export const clashes = refusal(
  codes.conflict,
  (found: readonly Clash[], canForce: boolean) =>
    `${found.map(({ leader, time, title }) => `${leader} ${time} 已有“${title}”`).join('；')}，${
      canForce ? '请改时间，或确认冲突后保留两项' : '请改时间，或请办公室、领导秘书协调'
    }`,
  (found, canForce) => ({ clashes: found, can_force: canForce }),
);
export const noLeader = refusal(codes.refused, (name: string) => `“${name}”不是在职的校领导，请重新选择领导`);
export const unknownPerson = refusal(codes.refused, (name: string) => `用户“${name}”不存在或已停用，请重新选择`);
export const notPrivate = refusal(
  codes.refused,
  (why: string) => `${why}，不能设为“仅本人与秘书”，请选择“全员”或“领导与办公室”`,
);
export const notOnSide = refusal(
  codes.forbidden,
  (act: string, who = '领导本人、其秘书和办公室') => `只有${who}可以${act}，请与他们联系`,
);
export const notTheirSide = refusal(
  codes.forbidden,
  (name: string) => `“${name}”的日程由其本人、秘书或办公室安排，不能直接加入；请另行申报`,
);
export const notNow = refusal(codes.notNow, (why: string, act: string) => `日程${why}，不能${act}`);
export const followsSource = refusal(
  codes.notNow,
  (act: string) => `日程随来源的业务变动，不能在这里${act}，请到来源的页面办理；这里可以答复、改可见范围和提醒`,
);
export const oneLeader = refusal(
  codes.refused,
  (count: number) => `外出报备一次填一位领导，现有 ${count} 位，请分开填报`,
);
export const actingUnfit = refusal(codes.refused, (name: string, why: string) => `代行人“${name}”${why}，请另选代行人`);
export const tripOfAnother = refusal(
  codes.refused,
  (name: string) => `外出报备经“${name}”本人确认，不能改为其他领导；请取消后另行报备`,
);
export const actingLonger = refusal(
  codes.forbidden,
  (name: string) => `外出期间有人代行，时间提前或延长须“${name}”本人修改；缩短不受限制`,
);
export const noApprovers = refusal(codes.refused, () => '请选择同意外出的主要领导');
export const notMain = refusal(codes.refused, (name: string) => `“${name}”不是规则中的主要领导，请从主要领导中选择`);
export const onItsWay = refusal(codes.notNow, (why: string) => `${why}，不能作废或调整环节；请改用“取消”或“改时间”`);
export const backTooEarly = refusal(codes.refused, (start: string) => `销假时间不能早于外出开始 ${start}，请核对`);
export const backInFuture = refusal(codes.refused, (at: string) => `销假时间 ${at} 还没有到，请回来后再销假`);
export const alreadyGoing = refusal(
  codes.refused,
  (name: string) => `“${name}”已在这项日程的领导中，请改派其他领导，或直接答复“不参加”`,
);
export const notOneOfThem = refusal(codes.refused, (name: string) => `“${name}”不在这项日程的领导中，请核对`);
export const whoAnswers = refusal(codes.refused, (names: string) => `请选择代哪位领导答复：${names}`);
export const weekPending = refusal(
  codes.conflict,
  (count: number) => `本周有 ${count} 处日程冲突，请处理后再发布，或确认仍要发布`,
  (count) => ({ clashes: count, can_force: true }),
);
export const weekMoved = refusal(
  codes.stale,
  (version: number) => `本周${version === 0 ? '还没有发布过' : `已发布到第 ${version} 版`}，请刷新核对后再发布`,
  (version) => ({ current: { version } }),
);
export const notForAll = refusal(codes.forbidden, (act: string) => `${act}须有全部范围的权限，请联系办公室`);
export const notPublished = refusal(codes.absent, (week: string) => `${week} 那一周还没有发布，请先发布`);
export const sharedPlace = refusal(codes.forbidden, (name: string) => `“${name}”是共享地址，由办公室维护`);
export const sharesPlaces = refusal(codes.forbidden, () => '共享地址由办公室设置，请联系办公室');
export const intoItself = refusal(codes.refused, (name: string) => `“${name}”不能并入它自己，请选择另一个地址`);
export const placeThere = refusal(codes.refused, (name: string) => `已有地址“${name}”，可以并入它`);
export const nothingToText = refusal(codes.refused, (day: string | undefined) =>
  day ? `${day} 没有可以发送的日程，请另选日期` : '所选日程都不能发送，请另选已通过、没有取消的日程',
);
export const typeElsewhere = refusal(codes.refused, () => '值班安排不在这里填写，请选择“领导日程”或“外出报备”');
export const notToCopy = refusal(
  codes.refused,
  (title: string, why: string) => `“${title}”${why}，不能复制，请另行填写`,
);
export const copiedTooLate = refusal(
  codes.refused,
  (title: string, week: string) => `“${title}”复制到 ${week} 那一周会超出 2099 年，请选择更早的日期`,
);
export const endBeforeStart = refusal(
  codes.refused,
  (end: string, start: string) => `结束时间 ${end} 不晚于开始时间 ${start}，请修改时间`,
);
