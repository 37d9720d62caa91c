import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { urging } from '#modules/platform/messages/service/news.ts';

export const aboutTickets = 'tickets';

/** Kinds of messages about a ticket; a record's own page may urge by the ticket's number. */
export const ticketNews = newsKinds({
  module: aboutTickets,
  type: newsType.system,
  group: '工单进展',
  page: (id) => `/ticket/detail/${id}`,
  kinds: {
    TODO: {
      name: '有新的待办（普通）',
      head: '待办',
      type: newsType.toDo,
      group: '待办',
      urgent: { name: '有新的待办（加急、特急）', from: newsLevel.important, ways: ['sms', 'push'] },
    },
    BEGUN: { name: '他人代我发起工单', head: '已代您发起', level: newsLevel.important },
    RETURNED: {
      name: '工单退回给我',
      head: '退回',
      type: newsType.toDo,
      group: '待办',
      level: newsLevel.important,
    },
    URGE: urging,
    TIMEOUT: {
      name: '待办超过办理时限（普通、加急）',
      head: '已超过办理时限',
      type: newsType.toDo,
      group: '待办',
      level: newsLevel.important,
      urgent: { name: '待办超过办理时限（特急）', from: newsLevel.urgent, ways: ['sms', 'push'] },
    },
    DUE_SOON: { name: '待办即将到期', head: '即将到期', type: newsType.toDo, group: '待办' },
    WITHDRAWN: { name: '待办被收回', head: '无需再处理', group: '待办', ways: [] },
    TAKEN_BACK: { name: '我代为发起的工单被撤回', head: '已撤回' },
    SENT_BACK: { name: '我起草或同办的工单被退回给他人', head: '已退回' },
    UNCONFIRMED: { name: '申请的办结没有得到确认', head: '没有确认办结', level: newsLevel.important },
    APPROVED: { name: '我发起的工单办结', head: '已办结' },
    CLOSED: { name: '我发起的工单被关闭', head: '已关闭' },
    REVOKED: { name: '工单被作废', head: '已作废', level: newsLevel.important },
    BACK: { name: '请假的人提前返岗', head: '已返岗' },
    CC: { name: '抄送给我', head: '抄送', ways: [] },
    MENTION: { name: '评论或意见中提到我', head: '提到您' },
    HANDED: { name: '我的工单办理人变更', head: '办理人变更', ways: [] },
    STAYS: {
      name: '移交时我管理的流程有工单留了下来',
      head: '移交时留下的工单',
      group: '流程与委托',
      ways: [],
      level: newsLevel.important,
      again: 'never',
    },
    INCIDENT: {
      name: '我管理的流程有工单需要处理',
      head: '需要流程管理员处理',
      group: '流程与委托',
      ways: [],
      level: newsLevel.important,
    },
  },
});
