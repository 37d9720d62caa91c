import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';

/** Messages to workflow administrators, and to people in whose name schedules begin tickets. */
export const workflowNews = newsKinds({
  module: 'workflows',
  type: newsType.system,
  group: '流程与委托',
  page: (id) => `/ticket/workflow/design/${id}`,
  kinds: {
    PERSON_LEFT: { name: '流程指定的人员已离开', head: '指定的人员已离开', level: newsLevel.important, ways: [] },
    SCHEDULE_FAILED: {
      name: '定时发起未成功',
      head: '定时发起未成功',
      ways: [],
      level: newsLevel.important,
    },
    SCHEDULE: { name: '以我的名义定时发起', head: '将以您的名义定时发起', page: () => '/ticket/owner', ways: [] },
  },
});
