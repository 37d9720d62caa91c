import type { Db } from '#kernel/server/db/db.ts';
import type { ServerModule } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { seedMenus, seedRoles } from '#modules/access/seed.ts';
import { menus as auditMenus } from '#modules/audit/seed.ts';
import { auditModule } from '#modules/audit/server.ts';
import { receivedDocuments } from '#modules/distributions/service.ts';
import { jobsModule } from '#modules/deliveries/jobs.ts';
import { menus as docsMenus } from '#modules/docs/seed.ts';
import { docsModule } from '#modules/docs/server.ts';
import { documentsOpenedBy } from '#modules/documents/service.ts';
import { filesModule } from '#modules/files/server.ts';
import { linksModule } from '#modules/links/server.ts';
import { linksAmong } from '#modules/links/service.ts';
import { digestTask } from '#modules/messages/outside/digest.ts';
import { leavesModule } from '#modules/people/server/leaves.ts';
import { recordsOf } from '#modules/tickets/service.ts';
import { menus as tokenMenus } from '#modules/tokens/seed.ts';
import { tokensModule } from '#modules/tokens/server.ts';
import { verificationModule } from '#modules/verification/server.ts';
import { waitsModule } from '#modules/waits/server.ts';
import { dutiesOf } from '#modules/waits/service.ts';
import { chainSchedules, chainTask } from './nightly-check.ts';
import type { Part } from './part.ts';
import { accessPart } from './parts/access.ts';
import { accountsPart } from './parts/accounts.ts';
import { deliveriesPart } from './parts/deliveries.ts';
import { distributionsPart } from './parts/distributions.ts';
import { documentsPart } from './parts/documents.ts';
import { foldersPart } from './parts/folders.ts';
import { messagesPart } from './parts/messages.ts';
import { noticesPart } from './parts/notices.ts';
import { peoplePart } from './parts/people.ts';
import { settingsPart } from './parts/settings.ts';
import { smsPart } from './parts/sms.ts';
import { ticketsPart } from './parts/tickets.ts';
import { workflowsPart } from './parts/workflows.ts';
import { productVersion } from './product.ts';
import type { Services } from './services.ts';

/** Every module of the product, in the order of what they seed: what a later one names is there. */
const parts: readonly Part[] = [
  accountsPart,
  accessPart,
  ticketsPart,
  workflowsPart,
  documentsPart,
  distributionsPart,
  noticesPart,
  peoplePart,
  foldersPart,
  messagesPart,
  smsPart,
  {
    menus: auditMenus,
    servers: () => [auditModule],
    tasks: (services) => [chainTask(services)],
    schedules: chainSchedules,
  },
  deliveriesPart,
  // The rest of what these do asks all the others: see `modulesOf`.
  { menus: tokenMenus },
  settingsPart,
  { menus: docsMenus },
];

const merged = <T>(field: (part: Part) => Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> =>
  Object.assign({}, ...parts.map(field)) as Record<string, T>;

/** What waits for people, of all modules, in the order of the parts. */
export const waits = parts.flatMap((part) => part.waits ?? []);

recordsOf(merged((part) => part.records));
linksAmong(merged((part) => part.linked));
// By what else people see documents.
documentsOpenedBy(receivedDocuments);

/** The product: every module that answers calls. */
export function modulesOf(services: Services): ServerModule[] {
  const modules: ServerModule[] = [
    ...parts.flatMap((part) => part.servers?.(services) ?? []),
    filesModule({ ...services, owners: merged((part) => part.owners) }),
    linksModule,
    waitsModule(waits),
    leavesModule(parts.flatMap((part) => part.leaves ?? [])),
    verificationModule({ ...services, records: merged((part) => part.verified) }),
    jobsModule(new Map(tasksOf(services).map(({ name, title }) => [name, title]))),
    tokensModule(services.secretBox, () => modules.flatMap((module) => module.calls.map(({ call }) => call))),
  ];
  return [...modules, docsModule({ version: productVersion, modules })];
}

export const tasksOf = (services: Services): Task[] => [
  ...parts.flatMap((part) => part.tasks?.(services) ?? []),
  digestTask(services.databases, (tx) => dutiesOf(tx, waits)),
];

export const schedules: readonly Schedule[] = parts.flatMap((part) => part.schedules ?? []);

/** Menus, roles and what else every organisation begins with. Idempotent. */
export async function seedBase(tx: Db): Promise<void> {
  await seedRoles(tx);
  await seedMenus(
    tx,
    parts.flatMap((part) => part.menus ?? []),
  );
  for (const part of parts) await part.seed?.(tx);
}
