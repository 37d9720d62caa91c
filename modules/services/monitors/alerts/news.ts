import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';

export const monitorNews = newsKinds({
  module: 'monitors',
  type: newsType.alarm,
  group: '客户与监测',
  page: (id) => `/customer/record/detail/${id}`,
  again: 'always',
  kinds: {
    MONITOR_DOWN: { name: '监测的项目异常', head: '监测异常', level: newsLevel.urgent },
    MONITOR_UP: { name: '监测的项目恢复', head: '监测恢复', level: newsLevel.urgent, ways: [] },
    MONITOR_FLAP: { name: '监测的项目状态抖动', head: '状态抖动', level: newsLevel.urgent, ways: [] },
    MONITOR_QUIET: { name: '监测项目的静默结束', head: '静默结束', level: newsLevel.urgent },
    CERT_EXPIRE: { name: '监测的证书、域名即将到期', head: '证书、域名即将到期', level: newsLevel.urgent },
    MONITOR_BLIND: {
      name: '监测节点网络异常',
      head: '监测节点网络异常',
      ways: [],
      again: 'later',
      level: newsLevel.important,
      page: () => '/customer/log',
    },
    MONITOR_REPORT: {
      name: '服务月报待核对',
      head: '服务月报待核对',
      ways: [],
      type: newsType.toDo,
      page: (id) => `/customer/report/${id}`,
    },
  },
});
