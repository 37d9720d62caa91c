import type { Db } from '#kernel/server/db/db.ts';
import type { ServerModule } from '#kernel/server/http/implement.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { seededRoles } from '#modules/platform/access/roles.ts';
import { seedMenus, seedRoles } from '#modules/platform/access/seed.ts';
import type { ModuleDefinition, Product } from '#kernel/server/product.ts';
import type { Services } from '#kernel/server/services.ts';
import { access } from '#modules/platform/access/module.ts';
import { accounts } from '#modules/platform/accounts/module.ts';
import { activities } from '#modules/office/activities/module.ts';
import { alumni } from '#modules/platform/alumni/module.ts';
import { audit } from '#modules/platform/audit/module.ts';
import { contracts } from '#modules/office/contracts/module.ts';
import { customers } from '#modules/services/customers/module.ts';
import { calendars } from '#modules/platform/calendars/module.ts';
import { delegations } from '#modules/workflow/delegations/module.ts';
import { deliveries } from '#modules/platform/deliveries/module.ts';
import { distributions } from '#modules/office/distributions/module.ts';
import { docs } from '#modules/platform/docs/module.ts';
import { documents } from '#modules/office/documents/module.ts';
import { duty } from '#modules/office/duty/module.ts';
import { exports } from '#modules/platform/exports/module.ts';
import { feeds } from '#modules/platform/feeds/module.ts';
import { files } from '#modules/platform/files/module.ts';
import { folders } from '#modules/office/folders/module.ts';
import { leaders } from '#modules/office/leaders/module.ts';
import { keys } from '#modules/services/keys/module.ts';
import { letterheads } from '#modules/platform/letterheads/module.ts';
import { links } from '#modules/platform/links/module.ts';
import { meetings } from '#modules/office/meetings/module.ts';
import { messages } from '#modules/platform/messages/module.ts';
import { monitors } from '#modules/services/monitors/module.ts';
import { notices } from '#modules/office/notices/module.ts';
import { people } from '#modules/platform/people/module.ts';
import { photos } from '#modules/services/photos/module.ts';
import { rooms } from '#modules/platform/rooms/module.ts';
import { settings } from '#modules/platform/settings/module.ts';
import { signOn } from '#modules/platform/signon/module.ts';
import { sms } from '#modules/platform/sms/module.ts';
import { started as starting } from '#modules/platform/started/module.ts';
import { stamps } from '#modules/office/stamps/module.ts';
import { orders } from '#modules/services/orders/module.ts';
import { supervision } from '#modules/office/supervision/module.ts';
import { tickets } from '#modules/workflow/tickets/module.ts';
import { tokens } from '#modules/platform/tokens/module.ts';
import { verification } from '#modules/platform/verification/module.ts';
import { wopi } from '#modules/platform/wopi/module.ts';
import { waits as waiting } from '#modules/platform/waits/module.ts';
import { workflows } from '#modules/workflow/workflows/module.ts';
import { chainNews, chainSchedules, chainTask } from './nightly-check.ts';

/** Every module of the product, in the order of seeding: later ones may refer to what earlier ones seeded. */
export const definitions: readonly ModuleDefinition[] = [
  accounts,
  signOn,
  access,
  tickets,
  workflows,
  documents,
  letterheads,
  wopi,
  distributions,
  notices,
  people,
  delegations,
  calendars,
  feeds,
  folders,
  rooms,
  meetings,
  activities,
  photos,
  stamps,
  contracts,
  customers,
  monitors,
  leaders,
  duty,
  supervision,
  orders,
  keys,
  messages,
  sms,
  alumni,
  audit,
  waiting,
  starting,
  { tasks: (services) => [chainTask(services)], schedules: chainSchedules, news: [chainNews] },
  deliveries,
  tokens,
  settings,
  docs,
  files,
  exports,
  links,
  verification,
];

/** Merges what modules declare by name; two of one name would hide one another. */
export function merge<T>(fields: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> {
  const entries = fields.flatMap((field) => Object.entries(field ?? {}));
  const [twice] = entries.filter(([name], at) => entries.findIndex(([other]) => other === name) < at);
  if (twice) throw new Error(`two modules declare ${twice[0]}`);
  return Object.fromEntries(entries);
}

/** Everything that the modules provide; the servers exist once `servers` was called. */
export function productOf(services: Services, modules: readonly ModuleDefinition[]): Product {
  const merged = <T>(field: (module: ModuleDefinition) => Readonly<Record<string, T>> | undefined) =>
    merge(modules.map(field));
  const only = <T>(field: (module: ModuleDefinition) => T | undefined): T => {
    const [found, other] = modules.flatMap((module) => field(module) ?? []);
    if (found === undefined || other !== undefined) throw new Error('one module says it, and only one');
    return found;
  };
  let made: readonly ServerModule[] | undefined;
  const servers = () => (made ??= modules.flatMap((module) => module.servers?.(services) ?? []));
  return {
    servers,
    calls: () => servers().flatMap((module) => module.calls.map(({ call }) => call)),
    tasks: () => modules.flatMap((module) => module.tasks?.(services) ?? []),
    schedules: () => modules.flatMap((module) => module.schedules ?? []),
    logNames: merged((module) => module.logNames),
    news: modules.flatMap((module) => (module.news ?? []).flatMap((kinds) => Object.values(kinds))),
    owners: merged((module) => module.owners),
    records: merged((module) => module.records),
    stampable: merged((module) => module.stampable),
    linked: merged((module) => module.linked),
    openings: modules.flatMap((module) => module.openings ?? []),
    verified: merged((module) => module.verified),
    feeds: merged((module) => module.feeds),
    occupants: merged((module) => module.occupants),
    followed: merged((module) => module.followed),
    busy: merged((module) => module.busy),
    waits: modules.flatMap((module) => module.waits ?? []),
    started: modules.flatMap((module) => module.started ?? []),
    ticketStandings: only((module) => module.ticketStandings),
    setup: modules.flatMap((module) => module.setup ?? []).toSorted((a, b) => a.order - b.order),
    leaves: modules.flatMap((module) => module.leaves ?? []),
    powers: modules.flatMap((module) => module.powers ?? []),
    secretTickets: modules.flatMap((module) => module.secretTickets ?? []),
    inDepts: merged((module) => module.inDepts),
    holders: only((module) => module.holders),
    papers: only((module) => module.papers),
    albums: only((module) => module.albums),
    awayNow: only((module) => module.awayNow),
    keeping: only((module) => module.keeping),
    draftDocument: modules.find((module) => module.draftDocument)?.draftDocument,
    onDuty: modules.find((module) => module.onDuty)?.onDuty,
    running: only((module) => module.running),
  };
}

/** The roles that a new organisation begins with, and what they may do. */
export const roles = seededRoles(definitions);

export const logNames: Product['logNames'] = merge(definitions.map((module) => module.logNames));

export const schedules: readonly Schedule[] = definitions.flatMap((module) => module.schedules ?? []);

/** Seeds menus, roles and the other initial data of every organisation. Idempotent. */
export async function seedBase(tx: Db): Promise<void> {
  await seedRoles(tx, roles);
  await seedMenus(
    tx,
    definitions.flatMap((module) => module.menus ?? []),
    roles,
  );
  for (const module of definitions) await module.seed?.(tx);
}
