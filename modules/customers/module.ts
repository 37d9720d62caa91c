import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { contactsModule } from './server/contacts.ts';
import { customersModule } from './server/customers.ts';
import { projectsModule } from './server/projects.ts';
import { visitsModule } from './server/visits.ts';

/** Customers, their projects and people, and who was in touch with them. How projects are watched is the monitors' business. */
export const customers: ModuleDefinition = {
  menus,
  servers: () => [projectsModule, contactsModule, visitsModule, customersModule],
};
