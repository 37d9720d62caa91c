export const smsTypes = { 1: '验证码', 2: '通知', 3: '告警' } as const;
/** What sends text messages, as people call it. */
export const smsModules: Readonly<Record<string, string>> = {
  sms: '人工发送',
  messages: '消息提醒',
  documents: '公文催办',
  distributions: '公文分发',
  accounts: '验证码',
  deliveries: '渠道测试',
};
export const smsModule = (name: string) => (Object.hasOwn(smsModules, name) ? smsModules[name]! : name);
export const smsStates = { 0: '待发', 1: '已提交', 2: '成功', 3: '失败', 4: '已取消', 5: '被限制' } as const;
/** More numbers than this with the same text within a day leave only after a second person has looked. */
export const confirmFrom = 200;
/** Most numbers of one sending, and most notices to one number on one day. */
export const maxRecipients = 5000;
export const perNumberDaily = 50;
