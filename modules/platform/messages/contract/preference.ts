import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { done } from '#kernel/contract/shapes.ts';

/** What people hear of; each may come by other ways besides the box. */
export const events = {
  TODO: '有新的待办（普通）',
  TODO_URGENT: '有新的待办（加急、特急）',
  RETURNED: '工单退回给我',
  SENT_BACK: '我起草或同办的工单被退回给他人',
  URGE: '有人催办',
  TIMEOUT: '待办超过办理时限（普通、加急）',
  TIMEOUT_URGENT: '待办超过办理时限（特急）',
  APPROVED: '我发起的工单办结',
  CLOSED: '我发起的工单被关闭',
  REVOKED: '工单被作废',
  WITHDRAWN: '待办被收回',
  CC: '抄送给我',
  MENTION: '评论中提到我',
  LEVEL: '公文的紧急程度或时限变了',
  DIST: '公文分发给我',
  DIST_UNREAD: '分发的公文快到阅读期限',
  DOC_NOTICE: '公文通知',
  MUST_READ: '有必读的制度文件',
  MUST_READ_0: '必读的制度文件今天到期',
  PAPER_EXPIRING: '我的制度文件即将失效',
  CONTRACT_TO_SIGN: '合同待签订',
  CONTRACT_NODE: '合同履约节点临近',
  CONTRACT_OVERDUE: '合同履约节点逾期',
  CONTRACT_EXPIRE: '合同到期',
  CONTRACT_NOTICE: '合同到期通知期限临近',
  CONTRACT_RENEWED: '合同自动顺延',
  CONTRACT_CHANGED: '合同有变动',
  CONTRACT_TO_FINISH: '合同待办结',
  CUSTOMER_FOLLOW: '我负责的客户该跟进了',
  STAMP_READY: '用印申请已通过、待我用印',
  STAMP_SLOT: '今天预约了用印',
  STAMP_CONFIRM: '请我监印确认',
  STAMP_DONE: '我的文件已用印',
  STAMP_REFUSED: '保管人拒绝用印',
  STAMP_CANCELLED: '发起人不再用印',
  STAMP_EXPIRED: '用印申请过期失效',
  STAMP_OUT: '印章交出外带',
  STAMP_EXTEND: '外带延期的申请和决定',
  STAMP_OUT_LATE: '外带的印章逾期未还',
  STAMP_COPY: '待交存用印扫描件',
  STAMP_COPY_IN: '用印扫描件已交存',
  STAMP_CUSTODY: '印章交接、代管和保管事项',
  STAMP_LOST: '印章挂失',
  STAMP_ALERT: '用印异常',
  PHOTO_PENDING: '有照片待我审核',
  PHOTO_RESULT: '我的照片审核结果',
  PHOTO_ORIGINAL: '原图申请和决定',
  LEADER_NEW: '新增与我有关的领导日程',
  LEADER_CHANGED: '领导日程有变动',
  LEADER_CANCELLED: '领导日程取消',
  LEADER_REPLY: '领导答复日程',
  LEADER_WEEK: '一周安排发布',
  LEADER_BRIEF: '领导当日日程简报',
  LEADER_TOMORROW: '次日有领导日程',
  TRIP_AWAY: '领导外出与代行',
  DUTY_PUBLISHED: '值班表发布',
  DUTY_CHANGED: '我的值班有变动',
  DUTY_TOMORROW: '明天我值班',
  DUTY_SWAP: '换班申请与结果',
  DUTY_TAKE: '请我接班、值班已交接',
  DUTY_LATE: '值班到时未接班',
  DUTY_URGENT: '值班紧急情况',
  SUP_ISSUED: '督办任务交办给我',
  SUP_NEAR: '督办任务临期',
  SUP_BEHIND: '督办任务滞后',
  SUP_OVERDUE: '督办任务逾期',
  SUP_CHECK: '督办进展待审核',
  SUP_RETURNED: '督办进展审核结果',
  SUP_REQUEST: '督办申请待决定',
  SUP_DECIDED: '督办申请的决定',
  SUP_OPINION: '督办意见提到我',
  SUP_SHEET: '蓝色、黄色督办单',
  SUP_SHEET_URGENT: '红色督办单',
  SUP_FINISHED: '督办事项办结、终止',
  MEET_NOTICE: '会议通知',
  MEET_CHANGE: '会议的时间或地点变了',
  MEET_CANCEL: '会议取消',
  MEET_REMIND: '会议即将开始',
  MEET_URGE: '催回复会议通知',
  MEET_STAND_IN: '请我替会',
  MEET_REPLY: '参会人员请假或替会',
  MEET_RELEASED: '会议室因无人到场被释放',
  MEET_KEEP: '请确认会议是否仍需召开',
  MEET_DUE: '会议纪要待整理、确认',
  MEET_WAITING: '候补的会议室有空位',
  ACTIVITY_APPROVED: '我承办或出席的活动已通过',
  ACTIVITY_CHANGE: '我承办或出席的活动有变更',
  ACTIVITY_CANCEL: '我承办或出席的活动取消',
  ACTIVITY_SUMMARY_DUE: '活动待总结',
  ACTIVITY_SUMMARY: '收到活动总结',
  ACTIVITY_SUMMARY_BACK: '活动总结被退回',
  ORDER_NEW: '有新的访客报修',
  ORDER_ASSIGNED: '我的报修有进展',
  ORDER_FINISH: '我的报修已完工',
  ORDER_REWORK: '报修人要求返工',
  ORDER_LOWSCORE: '报修评价低于 3 分',
  ORDER_SAID: '报修人留言、评价',
  ORDER_DUE: '订单临近、超过时限',
  MONITOR_DOWN: '监测的项目异常',
  MONITOR_UP: '监测的项目恢复',
  MONITOR_FLAP: '监测的项目状态抖动',
  MONITOR_QUIET: '监测项目的静默结束',
  CERT_EXPIRE: '监测的证书、域名即将到期',
  NOTICE: '通知公告',
  CHASE: '通知待确认提醒',
  DIGEST: '每日待办汇总',
  NEW_DEVICE_LOGIN: '我的账号在新设备上登录',
  PWD_RESET: '我的密码被重置',
  PHONE_CHANGED: '我的手机号、找回密码的邮箱有变动',
  SECOND_STEP: '我的二次验证有变动',
  HANDED_OVER: '事项移交',
  ROLE_ENDS: '我的角色即将到期、已到期',
} as const;
export type MessageEvent = keyof typeof events;
const eventCodes = Object.keys(events) as [MessageEvent, ...MessageEvent[]];

/** Ways to a person besides the box, which always gets everything. */
export const ways = { sms: '短信', mail: '邮件', push: '推送' } as const;
export type Way = keyof typeof ways;
const wayCodes = Object.keys(ways) as [Way, ...Way[]];

/** What people choose for at once: each group has the events whose names begin so. */
export const eventGroups: readonly { title: string; begin: readonly string[] }[] = [
  { title: '待办', begin: ['TODO', 'RETURNED', 'URGE', 'TIMEOUT', 'WITHDRAWN', 'DIGEST'] },
  { title: '工单进展', begin: ['SENT', 'APPROVED', 'CLOSED', 'REVOKED', 'CC', 'MENTION'] },
  { title: '公文', begin: ['LEVEL', 'DIST', 'DOC'] },
  { title: '制度文件', begin: ['MUST', 'PAPER'] },
  { title: '会议', begin: ['MEET'] },
  { title: '活动', begin: ['ACTIVITY'] },
  { title: '领导日程', begin: ['LEADER', 'TRIP'] },
  { title: '值班', begin: ['DUTY'] },
  { title: '督办', begin: ['SUP'] },
  { title: '合同', begin: ['CONTRACT'] },
  { title: '印章', begin: ['STAMP'] },
  { title: '报修', begin: ['ORDER'] },
  { title: '客户与监测', begin: ['CUSTOMER', 'MONITOR', 'CERT'] },
  { title: '相册', begin: ['PHOTO'] },
  { title: '通知公告', begin: ['NOTICE', 'CHASE'] },
  { title: '账号安全', begin: ['NEW', 'PWD', 'PHONE', 'SECOND', 'HANDED', 'ROLE'] },
];
export const eventsOf = (group: (typeof eventGroups)[number]): MessageEvent[] =>
  eventCodes.filter((event) => group.begin.includes(event.split('_')[0]!));

/** What is texted to whoever chose nothing: what cannot wait until they look. */
const texted: readonly MessageEvent[] = [
  'TODO_URGENT',
  'TIMEOUT_URGENT',
  'MUST_READ_0',
  'CONTRACT_OVERDUE',
  'STAMP_OUT_LATE',
  'STAMP_LOST',
  'LEADER_BRIEF',
  'DUTY_TOMORROW',
  'DUTY_LATE',
  'DUTY_URGENT',
  'SUP_ISSUED',
  'SUP_OVERDUE',
  'SUP_SHEET_URGENT',
  'NEW_DEVICE_LOGIN',
  'PWD_RESET',
  'HANDED_OVER',
  'PHONE_CHANGED',
  'SECOND_STEP',
];
/** What is not pushed to a device unless asked for: it may be read whenever one comes by. */
const unpushed: readonly MessageEvent[] = [
  'CC',
  'WITHDRAWN',
  'LEVEL',
  'PAPER_EXPIRING',
  'CONTRACT_RENEWED',
  'STAMP_COPY_IN',
  'LEADER_WEEK',
  'DUTY_PUBLISHED',
  'ACTIVITY_SUMMARY',
  'MONITOR_UP',
  'MONITOR_FLAP',
];
/** The ways of whoever chose none for an event: mail leads there only where it is asked for, a push only to devices that were allowed one. */
export const defaultWays = Object.fromEntries(
  eventCodes.map((event) => [
    event,
    [...(texted.includes(event) ? ['sms'] : []), ...(unpushed.includes(event) ? [] : ['push'])],
  ]),
) as Record<MessageEvent, Way[]>;

/** From which level on an event is chosen for as an urgent one. */
const urgentFrom: Partial<Record<MessageEvent, number>> = { TODO: 1, TIMEOUT: 2, SUP_SHEET: 2 };
const isChoosable = (event: string): event is MessageEvent => event in events;

/** Under which event people choose the ways of a message; null where it comes to the box only. */
export function choiceOf(event: string, level: number): MessageEvent | null {
  if (!isChoosable(event)) {
    const stem = event.replace(/_\d+$/, '');
    return isChoosable(stem) ? stem : null;
  }
  const urgent = `${event}_URGENT`;
  return level >= (urgentFrom[event] ?? Infinity) && isChoosable(urgent) ? urgent : event;
}

const Hour = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请按“22:00”的格式填写')
  .nullable();
const Chosen = z.partialRecord(z.enum(eventCodes), z.array(z.enum(wayCodes)).max(wayCodes.length));
const Habit = z.object({
  events: Chosen.meta({ title: '提醒方式' }),
  quiet_from: Hour.meta({ title: '免打扰开始' }),
  quiet_to: Hour.meta({ title: '免打扰结束' }),
  digest: z.boolean().meta({ title: '每日待办汇总' }),
});

export const preferenceCalls = {
  preference: call({
    method: 'GET',
    path: '/api/msg/preference/',
    access: signedIn,
    summary: '消息提醒设置',
    /** `defaults`: the ways of events for which I chose none; `open`: ways this office has; `reachable`: those that lead to me. */
    reply: Habit.extend({ defaults: Chosen, open: z.array(z.enum(wayCodes)), reachable: z.array(z.enum(wayCodes)) }),
    fresh: true,
  }),
  keepPreference: call({
    method: 'PUT',
    path: '/api/msg/preference/',
    access: signedIn,
    summary: '保存消息提醒设置',
    body: Habit.partial().refine((habit) => !habit.quiet_from === !habit.quiet_to, {
      message: '开始和结束时间请一起填写',
      path: ['quiet_to'],
    }),
    reply: done,
    message: '提醒设置已保存',
    quiet: true,
  }),
};
