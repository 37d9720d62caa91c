import { menus as alumniMenus } from '#modules/alumni/seed.ts';
import { alumniModule } from '#modules/alumni/server.ts';
import { receiptTask, smsSchedules } from '#modules/sms/logs/receipts.ts';
import { menus, seedSms } from '#modules/sms/seed.ts';
import { smsModule } from '#modules/sms/server.ts';
import { optedOut } from '#modules/sms/service.ts';
import type { Part } from '../part.ts';

/** Text messages, and the alumni they are sent to. */
export const smsPart: Part = {
  menus: [...menus, ...alumniMenus],
  seed: seedSms,
  servers: (services) => [smsModule(services), alumniModule({ ...services, optedOut })],
  tasks: (services) => [receiptTask(services)],
  schedules: smsSchedules,
};
