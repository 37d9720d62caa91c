export const monitorTypes = { 1: 'HTTP', 2: '关键字', 3: 'TCP 端口', 4: 'Ping', 5: '证书', 6: '推送心跳' } as const;
export const pushType = 6;
export const monitorStatuses = { 0: '异常', 1: '正常', 2: '待确认', 3: '维护中', 9: '未监测' } as const;
export const incidentStates = { 0: '未恢复', 1: '已恢复', 2: '已处理' } as const;
export const causes = { 1: '程序', 2: '服务器', 3: '网络', 4: '证书', 5: '域名', 6: '误报', 9: '其他' } as const;
/** Its time counts as no downtime. */
export const falseAlarm = 6;
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
/** Milliseconds: answers up to each are counted together; the last counts all that took longer. */
export const latencyBounds = [10, 20, 50, 100, 200, 300, 500, 800, 1000, 2000, 5000, 10_000, 30_000] as const;
/** A beat of `recent`. */
export const beatOf = (value: number) => ({ status: value & 3, ms: value >> 2 });
