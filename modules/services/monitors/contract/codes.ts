import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';

export const monitorType = codeSet({
  http: [1, 'HTTP'],
  keyword: [2, '关键字'],
  port: [3, 'TCP 端口'],
  ping: [4, 'Ping'],
  certificate: [5, '证书'],
  push: [6, '推送心跳'],
});
export const pushType = monitorType.push;
/** The state of a monitored project. */
export const monitorState = codeSet({
  down: [0, '异常', 'error'],
  up: [1, '正常', 'success'],
  pending: [2, '待确认', 'warning'],
  maintenance: [3, '维护中', 'default'],
  off: [9, '未监测', 'default'],
});
export type MonitorState = CodeOf<typeof monitorState>;
export const incidentState = codeSet({ open: [0, '未恢复'], over: [1, '已恢复'], handled: [2, '已处理'] });
export const cause = codeSet({
  program: [1, '程序'],
  server: [2, '服务器'],
  network: [3, '网络'],
  certificate: [4, '证书'],
  domain: [5, '域名'],
  falseAlarm: [6, '误报'],
  other: [9, '其他'],
});
/** Its time does not count as downtime. */
export const { falseAlarm } = cause;
export const eventWords = {
  opened: '异常开始',
  alerted: '发出告警',
  claimed: '认领',
  recovered: '恢复',
  stopped: '停止监测',
  silenced: '静默',
  handed: '移交',
  handled: '处理',
  ordered: '转办',
} as const;
/** In milliseconds: answers up to each bound are counted together; the last one counts all slower answers. */
export const latencyBounds = [10, 20, 50, 100, 200, 300, 500, 800, 1000, 2000, 5000, 10_000, 30_000] as const;
/** Decodes an entry of `recent`. */
export const beatOf = (value: number) => ({ status: value & 3, ms: value >> 2 });
