import { codes, refusal } from '#kernel/contract/refusal.ts';
import { slotText } from './codes.ts';

interface Free {
  day: string;
  part: number;
}
const ways = (free: readonly Free[]) =>
  free.length > 0 ? `，可改约 ${free.map((one) => slotText(one.day, one.part)).join('、')}` : '，请改日再约';
/** A slot that is not available: the reason, and the next free ones. */
export const slotGone = refusal(
  codes.conflict,
  (seal: string, wanted: Free, why: string, free: readonly Free[]) =>
    `“${seal}” ${slotText(wanted.day, wanted.part)} ${why}${ways(free)}`,
  (_seal, _wanted, _why, free) => ({ free }),
);
export const slotInLoan = refusal(
  codes.conflict,
  (seal: string) => `“${seal}”外带期间已有人预约现场用印，请改选外带时间或与保管人商量改约`,
);
export const sealUnfit = refusal(codes.refused, (seal: string, why: string) => `“${seal}”${why}，请选择其他印章`);
export const severalFlows = refusal(codes.refused, () => '所选印章的审批流程不同，请分开申请');
export const notOffered = refusal(codes.notNow, () => '关联的业务尚未批准或已失效，请核对后再申请用印');
/** A difference between an application and the record whose files it wants sealed. */
export const sourceChanged = refusal(
  codes.notNow,
  (title: string, what: string) =>
    `“${title}”的${what}与业务中批准的不一致，不能用印；草稿请重新保存后提交，已提交的请关闭后重新申请`,
);
export const tooLongOut = refusal(
  codes.refused,
  (days: number) => `外带最长 ${days} 天，请缩短外带时间，确需更久的在外带后申请延期`,
);
export const tooManyCopies = refusal(codes.refused, (most: number) => `份数最多 ${most} 份，请分次申请`);
export const timeGone = refusal(
  codes.notNow,
  (name: string) => `印章“${name}”的外带时间没有保留下来，请退回发起人重新选择时间`,
);
export const nothingLeft = refusal(codes.notNow, () => '申请的印章都已不能使用，请退回发起人');
export const notKeeper = refusal(
  codes.forbidden,
  (seal: string, keeper: string) => `“${seal}”现由${keeper}保管，请其办理`,
);
export const ownSeal = refusal(codes.forbidden, () => '发起人、经办人不能为自己的申请办理用印，请先办理代管');
export const keeperApplies = refusal(
  codes.refused,
  (seal: string, keeper: string) =>
    `“${seal}”现由${keeper}保管，保管人不能是发起人、经办人或陪同人，请换人经办，或先办理代管`,
);
export const lineElsewhere = refusal(
  codes.notNow,
  (seal: string, state: string) => `“${seal}”的用印“${state}”，现在不能这样办理，请刷新后查看`,
);
export const sealAway = refusal(
  codes.notNow,
  (seal: string, state: string) => `“${seal}”${state}，现在不能用印，请归还后办理`,
);
export const slotAfterReturn = refusal(
  codes.notNow,
  (seal: string) => `“${seal}”外借中，现在不能用印，请选择归还之后的预约时段`,
);
export const wrongUse = refusal(codes.refused, (what: string) => `这项申请是${what}，请按${what}登记`);
export const moreThanApproved = refusal(
  codes.refused,
  (real: number, copies: number) => `用印 ${real} 份超过批准的 ${copies} 份，请核对；确需增加的另行申请`,
);
export const whyNow = refusal(codes.refused, (seal: string) => `现在不在“${seal}”的用印时段，请在说明中写明原因`);
export const tooEarly = refusal(
  codes.notNow,
  (from: string) => `外带从 ${from} 开始，最早可提前 2 小时交出，请届时办理`,
);
export const loanOver = refusal(
  codes.notNow,
  (until: string) => `外带用印的时间到 ${until} 为止，已经过去，不能再交出；仍需外带的请重新申请`,
);
export const afterDue = refusal(
  codes.refused,
  (day: string, due: string) => `批准有效期到 ${due}，不能预约 ${day}，请选择 ${due} 及以前的时段，或重新申请`,
);
export const escortAlone = refusal(
  codes.forbidden,
  () => '陪同人不能把印章交给自己，请由其他保管人交出，或改由他人陪同',
);
export const noSignature = refusal(codes.refused, () => '请陪同人在屏幕上签名后再交出');
export const keeperGone = refusal(
  codes.refused,
  (name: string, keeper: string) =>
    `“${name}”的保管人${keeper}已不在岗，现在没有人可以用印；请印章管理人员办理交接，另定保管人后再提交`,
);
export const noSecond = refusal(
  codes.refused,
  (seal: string) =>
    `“${seal}”须双人用印，现在没有可以监印确认的人（监印人、备岗都没有，或就是保管人、发起人、经办人），请联系印章管理人员先办理监印变更`,
);
export const nothingToConfirm = refusal(codes.notNow, () => '没有等您监印确认的用印，请刷新后查看');
export const confirmLate = refusal(codes.notNow, () => '登记已超过 30 分钟，请保管人再请监印后确认');
export const nothingLapsed = refusal(codes.notNow, () => '没有过时未监印的用印，请刷新后查看');
export const notSecond = refusal(codes.forbidden, () => '监印须由监印人本人确认，保管人、发起人和经办人不能确认');
export const proofMissing = refusal(codes.refused, () => '请输入您的登录密码，或扫用印凭条上的二维码');
export const wrongProof = refusal(codes.refused, () => '密码或核验码不对，请重新输入');
export const nothingToSeal = refusal(codes.notNow, () => '没有待用印的印章，不能再取消或拒绝，请刷新后查看');
export const notYours = refusal(codes.forbidden, (what: string, who: string) => `${what}由${who}办理`);
export const fewerOutside = refusal(codes.refused, (copies: number, outside: number) =>
  outside > 0
    ? `在外的已用印文本只有 ${outside} 份，不能登记收回 ${copies} 份，请核对份数`
    : '没有在外的已用印文本，不需要登记收回',
);
export const notOut = refusal(codes.notNow, () => '印章没有外借，或已归还');
export const laterOnly = refusal(codes.refused, (due: string) => `现在应于 ${due} 归还，请选择更晚的时间`);
export const noExtension = refusal(codes.notNow, () => '没有等待决定的延期申请');
export const extensionTaken = refusal(
  codes.conflict,
  (who: string, until: string) => `延到 ${until} 会占用${who}的时间，请缩短延期或与其协商改约`,
);
export const fileDamaged = refusal(
  codes.refused,
  (name: string) => `“${name}”已损坏或加密，无法打开，请重新导出后上传`,
);
