import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';

export const keyNews = newsKinds({
  module: 'keys',
  type: newsType.key,
  group: '钥匙',
  page: (id) => `/key/loan/${id}`,
  kinds: {
    KEY_TAKEN: { name: '我借用的钥匙已领出', head: '钥匙已领出' },
    KEY_BACK: { name: '我借用的钥匙已归还', head: '钥匙已归还' },
    KEY_MOVED: { name: '他人登记我保管的钥匙', head: '钥匙领还登记', again: 'always' },
    KEY_OVERDUE: { name: '钥匙逾期未还', head: '钥匙逾期未还', level: newsLevel.important },
  },
});
