/** The job that sends the alerts of `monitor_alert`, one customer at a time. */
export const alertTask = 'monitors.alert';

export type AlertEvent = 'MONITOR_DOWN' | 'MONITOR_UP' | 'MONITOR_FLAP' | 'MONITOR_QUIET' | 'CERT_EXPIRE';
/** Not sent to people: informs the record made from the incident that it is over. */
export const overEvent = 'MONITOR_OVER';
const said: Record<AlertEvent, string> = {
  MONITOR_DOWN: '异常',
  MONITOR_UP: '已恢复',
  MONITOR_FLAP: '状态抖动',
  MONITOR_QUIET: '静默结束',
  CERT_EXPIRE: '证书即将到期',
};
/** Templates of text messages. */
export const alertTemplates: Record<AlertEvent, string> = {
  MONITOR_DOWN: 'monitor_down',
  MONITOR_UP: 'monitor_up',
  MONITOR_FLAP: 'monitor_flap',
  MONITOR_QUIET: 'monitor_quiet',
  CERT_EXPIRE: 'cert_expire',
};

export const namedAs = (event: AlertEvent, name: string, reason: string) => ({ name, said: said[event], reason });

export const wordsOf = (event: AlertEvent, project: string, text: string) => ({
  title: `${project} ${said[event]}`,
  content: text === '' ? `${project} ${said[event]}。` : `${project} ${said[event]}：${text}。`,
});
