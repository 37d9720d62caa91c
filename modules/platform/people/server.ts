import type { ServerModule } from '#kernel/server/http/implement.ts';
import { deptsModule } from './server/depts/depts.ts';
import { explainModule } from './server/explain/server.ts';
import { bulkModule } from './server/users/bulk.ts';
import { importModule } from './server/users/import.ts';
import { lookupsModule } from './server/lookups.ts';
import { membersModule } from './server/members.ts';
import { usersModule, type UserServices } from './server/users/users.ts';

/** Departments, users, role members, look-ups and the address book. */
export function peopleModule(services: UserServices): ServerModule {
  const parts = [
    usersModule(services),
    bulkModule(services),
    importModule,
    deptsModule,
    membersModule,
    explainModule,
    lookupsModule,
  ];
  return { name: 'people', calls: parts.flatMap((part) => part.calls) };
}
