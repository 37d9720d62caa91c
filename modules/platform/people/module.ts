import { imageKinds } from '#kernel/contract/upload.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { forgetFactor } from '#modules/platform/accounts/service.ts';
import { remember } from '#modules/platform/audit/service.ts';
import {
  notifyOfHandover,
  notifyOfPhone,
  notifyOfReset,
  notifyOfRoleEnd,
  notifyOfRolesEnded,
  notifyOfSecond,
} from '#modules/platform/messages/service/account-news.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { boundAmong, releaseSso, unbind } from '#modules/platform/signon/service.ts';
import { menus } from './seed.ts';
import { peopleModule } from './server.ts';
import { partLeaves } from './server/depts/part-leaves.ts';
import {
  endingRoles,
  roleEndWords,
  roleEndsWords,
  roleSchedules,
  roleTasks,
  type EndingRole,
} from './server/users/role-ends.ts';
import { leavesModule } from './server/leaves.ts';
import { peopleSteps } from './server/setup.ts';
import { countHolders, deptNames, placeOfHolders } from './service.ts';

export const people: ModuleDefinition = {
  logNames: { people: '用户与部门' },
  menus,
  grants: {
    office_admin: 'address:*',
    reception: 'address:Retrieve',
    org_admin: 'system/dept:* system/user:* system/online:* address:*',
    auditor: 'system/user:Retrieve',
  },
  servers: (services) => [
    leavesModule({ handedOver: notifyOfHandover }),
    peopleModule({
      ...services,
      bindings: { boundAmong, unbind, releaseSso },
      forgetSecond: forgetFactor,
      news: { phone: notifyOfPhone, reset: notifyOfReset, second: notifyOfSecond },
    }),
  ],
  tasks: ({ databases }) =>
    roleTasks({
      databases,
      remember,
      tellEnded: notifyOfRoleEnd,
      tellAdministrator: notifyOfRolesEnded,
      remind: dateReminders<EndingRole>({
        ...endingRoles,
        kind: accountNews.ROLE_ENDS,
        says: roleEndWords,
        saysTogether: roleEndsWords,
      }),
    }),
  schedules: roleSchedules,
  leaves: [partLeaves],
  setup: peopleSteps,
  holders: { count: countHolders, place: placeOfHolders, deptNames },
  owners: { people: { kinds: imageKinds, imageSize: 512, may: async () => true } },
};
