import type { ModuleDefinition } from '#kernel/server/product.ts';
import { receiptTask, smsSchedules } from './logs/receipts.ts';
import { menus, seedSms } from './seed.ts';
import { smsGroupModule } from './sending/groups.ts';
import { smsModule, smsTemplateModule } from './server.ts';

export const sms: ModuleDefinition = {
  logNames: { sms: '短信' },
  menus,
  grants: {
    office_admin: 'sms/send:* sms/logs:Retrieve,daochu',
    sms_admin: 'sms/*:*',
  },
  seed: seedSms,
  servers: () => [smsModule, smsTemplateModule, smsGroupModule],
  tasks: (services) => [receiptTask(services)],
  schedules: smsSchedules,
};
