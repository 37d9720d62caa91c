import { moneyText } from '#kernel/contract/money/money.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';

const yuan = (amount: number) => `${moneyText(amount)} 元`;

export const signedAlready = refusal(codes.notNow, () => '合同已签订，请办理变更或解除登记');
export const notAtStage = refusal(
  codes.notNow,
  (what: string, stage: string) => `合同“${stage}”，现在不能办理${what}；请核对合同阶段`,
);
export const notYours = refusal(
  codes.forbidden,
  (what: string, who: readonly string[]) => `${what}由${who.join('、')}办理，您不在其中，请联系合同管理员`,
);
export const inFuture = refusal(
  codes.refused,
  (what: string, day: string) => `${what} ${day} 晚于今天，请改为今天或以前`,
);
export const notScanned = refusal(
  codes.refused,
  (name: string) => `“${name}”不是签字盖章的原件，请上传扫描的 PDF、OFD 或图片`,
);
export const authorityMissing = refusal(codes.refused, () => '授权代表签署的，请上传授权委托书');
export const tooManyKept = refusal(
  codes.refused,
  (kept: number, total: number) => `我方留存 ${kept} 份，多于总份数 ${total} 份，请核对`,
);
export const notSealed = refusal(codes.refused, () => '按合同规则须先完成用印，请先申请用印，用印后再登记签订');
export const scanBroken = refusal(
  codes.refused,
  (name: string) => `签署扫描件“${name}”与登记时的校验值不一致，不能归档；请联系系统管理员从备份恢复该文件`,
);
export const sealedCopies = refusal(
  codes.refused,
  (copies: number) => `合同有 ${copies} 份已用印的文本在外，请先交回印章保管人，由其在用印申请中登记收回`,
);
export const beyondAmount = refusal(
  codes.refused,
  (asked: number, rest: number, said: string) =>
    `本次 ${yuan(asked)}，超出尚可登记的 ${yuan(rest)}${said}；确需增加的请先办理变更登记`,
);
export const beyondPlan = refusal(
  codes.refused,
  (asked: number, open: readonly string[], planned: number, free: number) =>
    `本次 ${yuan(asked)}，其余未完成的节点（${open.join('、')}）还须 ${yuan(planned)}，这里最多登记 ${yuan(free)}；一并支付的请在各节点分别登记，计划有变的请先调整履约计划`,
);
export const tooEarly = refusal(
  codes.refused,
  (what: string, day: string, first: string) => `${what} ${day} 早于 ${first}（合同开始或签订之日），请核对`,
);
export const signedLongAgo = refusal(
  codes.refused,
  (day: string, drafted: string, years: number) =>
    `签订日期 ${day} 比起草日期 ${drafted} 早 ${years} 年以上，请核对年份；补录早年签订的合同，请在合同台账用“导入”`,
);
export const afterEnd = refusal(
  codes.refused,
  (what: string, day: string, end: string) => `${what} ${day} 晚于合同结束日期 ${end}，请核对`,
);
export const noDeposit = refusal(codes.refused, () => '合同没有约定履约保证金，不能登记；确有约定的请先办理变更登记');
export const beyondDeposit = refusal(
  codes.refused,
  (asked: number, rest: number) => `本次 ${yuan(asked)}，超出约定的履约保证金中尚未登记的 ${yuan(rest)}，请核对`,
);
export const beyondInvoice = refusal(
  codes.refused,
  (asked: number, rest: number, said: string) =>
    `本次发票 ${yuan(asked)}，超出合同金额中尚未开票的 ${yuan(rest)}${said}，请核对发票金额`,
);
export const nothingToReturn = refusal(
  codes.refused,
  (asked: number, rest: number) =>
    `本次退还 ${yuan(asked)}，登记过而尚未退还的保证金只有 ${yuan(rest)}，请先登记保证金的收付`,
);
export const depositReturned = refusal(
  codes.refused,
  (amount: number, held: number) =>
    `这笔保证金 ${yuan(amount)}已有退还，尚未退还的只有 ${yuan(held)}，不能冲销；登记有误的请先冲销退还的登记`,
);
/** The entry that already has the voucher; null if its contract is hidden from the user. */
export type Known = { date: string; amount: number; where: string };
const checkIt = '请核对；确是同一凭证的另一笔，请确认后再登记';
export const sameFile = refusal(
  codes.conflict,
  (name: string, known: Known | null) =>
    known
      ? `文件“${name}”已作为 ${known.date} 登记的 ${yuan(known.amount)}（${known.where}）的凭证，${checkIt}`
      : `文件“${name}”已作为另一份合同的凭证，${checkIt}`,
  () => ({ can_force: true }),
);
export const sameVoucher = refusal(
  codes.conflict,
  (what: string, no: string, known: Known | null) =>
    known
      ? `${what}“${no}”已在 ${known.date} 登记过 ${yuan(known.amount)}（${known.where}），${checkIt}`
      : `${what}“${no}”已在另一份合同登记过，${checkIt}`,
  () => ({ can_force: true }),
);
export const notOfSupplement = refusal(
  codes.refused,
  (what: string) => `补充协议不单独办理${what}，签订后请在主合同中办理变更登记，再在主合同中登记`,
);
export const settlesTooMuch = refusal(
  codes.refused,
  (settled: number, rest: number, said: string) =>
    `结算合计 ${yuan(settled)}，超出合同金额中尚未登记的 ${yuan(rest)}${said}，请核对结算清单`,
);
export const settlesBackTooMuch = refusal(
  codes.refused,
  (settled: number, most: number) =>
    `结算中与合同收付相反的款项合计 ${yuan(settled)}，超出已登记的金额与合同金额之和 ${yuan(most)}，请核对结算清单`,
);
export const settledBefore = refusal(
  codes.refused,
  (until: string, ended: string) => `结清日期 ${until} 早于解除日期 ${ended}，请核对结算清单`,
);
export const settledLate = refusal(
  codes.refused,
  (until: string, ended: string, years: number) =>
    `结清日期 ${until} 比解除日期 ${ended} 晚 ${years} 年以上，请核对年份`,
);
export const beyondCap = refusal(
  codes.refused,
  (asked: number, rest: number, said: string) =>
    `本次 ${yuan(asked)}，超出框架协议上限余额 ${yuan(rest)}${said}；请先办理变更登记`,
);
export const amountMissing = refusal(codes.refused, () => '收付款、保证金和发票登记须填写大于 0 的金额');
export const acceptMissing = refusal(codes.refused, () => '交付验收须选择验收结果：合格或不合格');
export const voucherMissing = refusal(codes.refused, () => '收付款登记须上传凭证文件');
export const wrongDirection = refusal(
  codes.refused,
  (kind: string, pays: string) => `这份合同是“${pays}”合同，不能登记${kind}；请核对节点类型`,
);
export const rowUnknown = refusal(codes.refused, () => '履约节点不存在、已取消或不属于这份合同，请重新选择');
export const rowNeeded = refusal(codes.refused, () => '请选择履约节点，或填写新增节点');
export const onlySettlement = refusal(codes.refused, () => '合同已解除，只能登记结算中列明的款项');
export const reversedBefore = refusal(codes.refused, () => '这笔登记已经冲销，或本身就是冲销，不能再冲销');
export const entryUnknown = refusal(codes.refused, () => '要冲销的登记不存在或不属于这份合同，请重新选择');
export const reverseNotYours = refusal(
  codes.forbidden,
  () => '当天由登记人冲销，之后由合同管理员冲销，请联系合同管理员',
);
export const supplementUnknown = refusal(codes.refused, () => '补充协议不存在，或不是这份合同的补充协议，请重新选择');
export const supplementUnsigned = refusal(
  codes.refused,
  (stage: string) => `补充协议“${stage}”，签订之后才能据以变更；请先登记补充协议的签订`,
);
export const supplementApplied = refusal(codes.refused, () => '这份补充协议已经登记过变更，不能重复登记');
export const supplementUnregistered = refusal(
  codes.refused,
  (supplement: string, what: string) =>
    `补充协议 ${supplement}已签订，还没有登记变更，不能办理${what}；请先由合同管理员登记变更`,
);
export const plansBeyond = refusal(
  codes.refused,
  (kind: string, planned: number, what: string, whole: number) =>
    `${kind}计划合计 ${yuan(planned)}，超过${what} ${yuan(whole)}；请登记在已有的节点上，或先调整履约计划`,
);
export const openRows = refusal(
  codes.refused,
  (count: number) => `还有 ${count} 个履约节点未完成，请先登记，或填写说明后办结（未完成的节点随之取消）`,
);
export const settlementOpen = refusal(
  codes.refused,
  (count: number) =>
    `还有 ${count} 笔解除结算没有付清，归档后不能再登记；请先登记结算款项的收付，免除的请在说明中写明原因`,
);
export const disputesOpen = refusal(
  codes.refused,
  (count: number, what: string) => `合同有 ${count} 项争议没有了结，不能办理${what}；请先登记争议了结`,
);
export const disputeUnknown = refusal(
  codes.refused,
  () => '争议不存在、已经了结或不属于这份合同，请刷新后从未了结的争议中选择',
);
export const archiveNoTaken = refusal(codes.refused, (no: string) => `档号 ${no} 已被使用，请换一个`);
export const planRefused = refusal(codes.refused, (why: string) => why);
export const rowHasEntries = refusal(codes.refused, () => '节点已有登记，不能取消；请先冲销登记');
export const belowDone = refusal(
  codes.refused,
  (amount: number, done: number) => `计划金额 ${yuan(amount)}少于节点已登记的 ${yuan(done)}，最少改为已登记的金额`,
);
export const notReduced = refusal(
  codes.refused,
  () => '审减是把收付款节点的计划金额改小或整个取消，减去的不再支付：请填写较小的计划金额，或选取消，不填余额计划日期',
);
export const reducedTooMuch = refusal(
  codes.refused,
  (amount: number, done: number, most: number) =>
    `审减后合同应付 ${yuan(amount)}，少于已登记的 ${yuan(done)}，最多审减 ${yuan(most)}，请核对审定额`,
);
export const entriesPassed = refusal(
  codes.refused,
  () => '登记后合计超出合同金额或框架协议上限，请刷新后核对尚可登记的金额；确需增加的请先办理变更登记',
);
export const rowKept = refusal(codes.refused, () => '节点有过登记或列入结算，须留存备查，不能删除；不再履行的请取消');
export const planUneven = refusal(
  codes.refused,
  (plan: number, amount: number) =>
    `计划合计 ${yuan(plan)}与合同金额 ${yuan(amount)}不等，请填写余额计划日期、选择“审减”或调整金额`,
);
export const restNotLess = refusal(codes.refused, () => '填写余额计划日期时，计划金额须小于原计划金额');
export const rowOver = refusal(codes.notNow, (state: string) => `合同“${state}”，履约计划不能再调整`);
export const rowOfOthers = refusal(codes.forbidden, () => '履约计划由承办人或合同管理员调整');
export const supplementPending = refusal(
  codes.refused,
  (name: string) => `主合同已有补充协议“${name}”在办理，请等它签订并登记变更，或作废后再提交`,
);
export const parentUnfit = refusal(
  codes.refused,
  () => '主合同须是已签订、履行中或到期的合同（补充协议），或履行中的框架协议（框架下的合同），请重新选择',
);
export const capPassed = refusal(
  codes.refused,
  (asked: number, rest: number, said: string) =>
    `合同金额 ${yuan(asked)}超出框架协议余额 ${yuan(rest)}${said}，请核对金额或先变更框架上限`,
);
export const nobodyNew = refusal(codes.refused, () => '新承办人不是在职人员，或就是原承办人，请重新选择');
export const nothingToHandOver = refusal(codes.refused, () => '没有您可以移交的合同，请核对所选合同或原承办人');
