import type { ModuleDefinition } from '#kernel/server/product.ts';
import { receiptTask, smsSchedules } from './logs/receipts.ts';
import { menus, seedSms } from './seed.ts';
import { smsModule, smsTemplateModule } from './server.ts';

export const sms: ModuleDefinition = {
  menus,
  seed: seedSms,
  servers: () => [smsModule, smsTemplateModule],
  tasks: (services) => [receiptTask(services)],
  schedules: smsSchedules,
};
