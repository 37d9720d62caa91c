import { sql } from 'drizzle-orm';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { customerNews, customerSchedules, customerTasks, customerWaits } from './jobs.ts';
import { customerLeaves } from './leaving.ts';
import { menus } from './seed.ts';
import { contactsModule } from './server/contacts.ts';
import { customersModule } from './server/customers.ts';
import { importModule } from './server/import.ts';
import { projectsModule } from './server/projects.ts';
import { visitsModule } from './server/visits.ts';

/** Customers, their projects and contacts, and visits. Monitoring of projects belongs to the monitors module. */
export const customers: ModuleDefinition = {
  logNames: { customers: '客户' },
  menus,
  grants: {
    customer_manager: 'customer/*:*',
    customer_staff:
      'customer/project:Retrieve customer/contact:Retrieve customer/record:Retrieve,chuli customer/log:Retrieve',
  },
  news: [customerNews],
  servers: () => [projectsModule, contactsModule, visitsModule, importModule, customersModule],
  tasks: ({ databases }) => customerTasks(databases),
  schedules: customerSchedules,
  inDepts: {
    个客户: (id) => sql`select count(*) from customer where dept_id = ${id} and not is_deleted`,
  },
  waits: customerWaits,
  leaves: customerLeaves,
  demos: [{ order: 100, load: async () => (await import('./demo.ts')).addDemoCustomers }],
};
