import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { clearTask } from './chain/removal.ts';
import { menus } from './seed.ts';
import { auditModule } from './server.ts';
import { signInLog } from './sign-ins.ts';

export const audit: ModuleDefinition = {
  logNames: { audit: '操作日志' },
  menus,
  grants: {
    auditor: 'system/log:Retrieve,daochu system/sign_in:Retrieve,daochu',
  },
  servers: () => [auditModule, signInLog],
  tasks: ({ databases }) => [clearTask(databases) as Task],
};
