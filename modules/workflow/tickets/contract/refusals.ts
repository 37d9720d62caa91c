import { codes, refusal, type Refusal } from '#kernel/contract/refusal.ts';

/** The requested action is not offered, or not any more; the reply lists those that are. */
export const notOffered = refusal(
  codes.notNow,
  (why: string, _actState: number, _actions: readonly string[]) => why,
  (_why, act_state, actions) => ({ act_state, actions }),
);
/** An automatic step came twice or too late: nothing is left to do. */
export const noLonger = refusal(
  codes.notNow,
  (_actState: number) => late,
  (act_state) => ({ act_state, actions: [] }),
);
const late = '这一步已经不需要了';
export const isNoLonger = ({ code, message }: Refusal): boolean => code === codes.notNow && message === late;
/** One's own comment can no longer be corrected. */
export const notCorrectable = refusal(codes.notNow, (why: string) => why);
/** The request does not say which of several tasks it means. */
export const severalTasks = refusal(
  codes.refused,
  () => '这张工单里有几项待办，请写明要办的是哪一项（task_no）；在页面上请刷新后选择',
);
export const decidedApart = refusal(
  codes.forbidden,
  () => '您已在这张工单中办理过，按流程规定这一项由他人办理，不能由您选定接收人，请由其他管理员移交',
);
export const notPassedOn = refusal(
  codes.forbidden,
  (state: string) => `流程不允许转交环节“${state}”的事项，请由该流程的干预人或超级管理员移交`,
);
/** Some names are enough to know whom to ask. */
export const namedThemselves = refusal(
  codes.forbidden,
  (state: string, alias: string, admins: readonly string[]) =>
    `流程在环节“${state}”指定由“${alias}”办理，超出您的权限，不能由您改交他人，请由流程管理员${admins.slice(0, 3).join('、')}${admins.length > 3 ? '等' : ''}在工单中改派；“${alias}”停用后会按流程的离岗规定自动转交`,
);
export const ownRequest = refusal(codes.forbidden, () => '这是您本人发起或代为填报的工单，请由其他管理员移交');
export const cannotStart = refusal(codes.refused, (why: string) => why);
/** Another ticket holds the same in the fields that must not stand twice. */
export const doubled = refusal(
  codes.conflict,
  ({ days, fields, shown, asks, read }: Doubled) => {
    const what = `${days} 天内已提交过“${fields.join('、')}”相同的工单`;
    const which =
      shown.length > 0 ? `${what} ${shown.slice(0, 3).join('、')}` : read ? `${what}（由他人提交，您不能查看）` : what;
    return asks
      ? `${which}，请核对是否重复；不是重复的可以继续提交`
      : `${which}，不能重复提交，${shown.length > 0 ? '请在原工单上办理' : '如有疑问请联系流程管理员'}`;
  },
  ({ shown, asks }) => ({ conflicts: shown, can_force: asks }),
);
interface Doubled {
  days: number;
  /** Names of the fields. */
  fields: readonly string[];
  /** Numbers of the other tickets, of those that may be seen. */
  shown: readonly string[];
  asks: boolean;
  /** False if nobody reads it at once, as for tickets that begin by themselves. */
  read: boolean;
}
export const notDrafted = refusal(
  codes.refused,
  () => '代他人发起的工单不能存为草稿，请填好后直接提交；填写的内容会自动保留',
);
export const cannotCopy = refusal(
  codes.refused,
  () => '只有自己发起并提交过的普通工单可以再次发起；由其他模块发起的请到那里新建',
);
export const notBegunFor = refusal(
  codes.forbidden,
  (app: string, username: string) =>
    `应用“${app}”不能以“${username}”的名义发起工单，请由超级管理员在应用令牌的“可代为发起”中授权，并确认该用户在岗`,
);
export const nobodyThere = refusal(
  codes.refused,
  (state: string) => `下一环节“${state}”找不到办理人，请联系流程管理员设置后再提交`,
);
export const pickSomebody = refusal(codes.refused, (state: string) => `请先为环节“${state}”选择办理人`);
export const tooManyPeople = refusal(
  codes.refused,
  (state: string, count: number) => `环节“${state}”的办理人有 ${count} 人，超过了上限，请联系流程管理员`,
);
export const begunTooDeep = refusal(
  codes.refused,
  (most: number) => `自动发起的下级工单已有 ${most} 级，不能再往下自动发起，请检查各下级流程是否互相发起`,
);
export const runsInCircles = refusal(
  codes.refused,
  (state: string) => `流程在环节“${state}”自动绕圈，请联系流程管理员`,
);

/** A field that has changed since it was seen; values as people read them. */
export interface FormChange {
  field_key: string;
  field_name: string;
  before: string;
  after: string;
}
/** The form is not the one that was seen; the reply holds its changes and the present ticket. */
export const formChanged = refusal(
  codes.stale,
  (changes: readonly FormChange[], _current: unknown) =>
    changes.length === 0
      ? '您打开之后，表单内容有变化，请核对后再提交'
      : `您打开之后，${changes.map(changeText).join('；')}，请核对后再提交`,
  (changes, current) => ({ changes, current }),
);

function changeText({ field_name, before, after }: FormChange): string {
  if (before === '' && after === '') return `“${field_name}”有改动`;
  return after === ''
    ? `“${field_name}”的“${before}”已删除`
    : `“${field_name}”${before === '' ? '' : `由“${before}”`}改为“${after}”`;
}
