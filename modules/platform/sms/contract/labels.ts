import { codeSet } from '#kernel/contract/codes.ts';

export const smsType = codeSet({ code: [1, '验证码'], notice: [2, '通知'], alarm: [3, '告警'] });
/** Names of the modules that send text messages. */
export const smsModules: Readonly<Record<string, string>> = {
  sms: '人工发送',
  messages: '消息提醒',
  documents: '公文催办',
  distributions: '公文分发',
  accounts: '验证码',
  deliveries: '渠道测试',
};
export const smsModule = (name: string) => (Object.hasOwn(smsModules, name) ? smsModules[name]! : name);
export const smsState = codeSet({
  waiting: [0, '待发', 'processing'],
  sent: [1, '已提交', 'success'],
  delivered: [2, '成功', 'success'],
  failed: [3, '失败', 'error'],
  cancelled: [4, '已取消', 'default'],
  limited: [5, '被限制', 'warning'],
});
/** The state of a batch, sent to many at once. */
export const batchState = codeSet({ waiting: [0, '待复核'], released: [1, '已提交'], withdrawn: [2, '已撤销'] });
/** The same text to more numbers than this within a day requires a second person's approval. */
export const confirmFrom = 200;
/** The most numbers of one batch, and the most notices to one number on one day. */
export const maxRecipients = 5000;
export const perNumberDaily = 50;
