import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';

export const delegationNews = newsKinds({
  module: 'delegations',
  type: newsType.system,
  group: '流程与委托',
  page: () => '/user/profile',
  kinds: {
    DELEGATED: { name: '委托我代办，为我设置委托', head: '委托', ways: [] },
    DELEGATION_ENDED: { name: '委托结束', head: '委托已结束', ways: [] },
  },
});
