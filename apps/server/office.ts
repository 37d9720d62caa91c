import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { momentText } from '#kernel/contract/moment.ts';
import { createAcknowledgedWrites, type AcknowledgedWrites } from '#kernel/server/live/acknowledged.ts';
import { createApp } from '#kernel/server/http/app.ts';
import { openBus, type Bus } from '#kernel/server/live/bus.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { isLoopback, StartupError } from '#kernel/server/process/config.ts';
import { historyFile, keepHistory, openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { olderSaid, type OlderHistory } from '#kernel/server/db/primary/history.ts';
import { isLost } from '#kernel/server/db/lost.ts';
import type { SendCode } from '#modules/platform/accounts/sign-in/phone-code.ts';
import { createToPdf, findOffice } from '#kernel/server/files/office-pdf.ts';
import { countDead, startJobs } from '#kernel/server/jobs/jobs.ts';
import { createOutgoing } from '#kernel/server/outside/outgoing.ts';
import { findFping } from '#kernel/server/outside/ping.ts';
import { createProbes } from '#kernel/server/outside/probing.ts';
import { addSockets } from '#kernel/server/live/sockets.ts';
import { startPeriodic } from '#kernel/server/jobs/periodic.ts';
import { sharedStore } from '#kernel/server/files/same-store.ts';
import { createLocalStore, type Store } from '#kernel/server/files/storage.ts';
import type { S3Place } from '#kernel/server/files/storage-s3.ts';
import { createScan } from '#kernel/server/files/virus-scan.ts';
import { rememberRefusal } from '#modules/platform/audit/refusals.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { sessionsAlive } from '#modules/platform/accounts/sign-in/sessions.ts';
import { socketPath } from '#modules/platform/messages/contract.ts';
import { redeemTicket } from '#modules/platform/messages/service.ts';
import { clearSpool } from '#modules/platform/files/service.ts';
import { startMonitoring } from '#modules/services/monitors/service.ts';
import { addHealth } from './health.ts';
import { writeLostWrites } from './lost-writes.ts';
import { periodicJobs } from './periodic-jobs.ts';
import { definitions, schedules } from './modules.ts';
import { askForExport } from '#modules/platform/exports/service.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import type { Services } from '#kernel/server/services.ts';
import { createServices } from './services.ts';
import { addWeb } from './web.ts';

export interface AppOptions {
  databaseUrl: string;
  readDatabaseUrl?: string | undefined;
  secret: string;
  log: Logger;
  trustedProxies: readonly string[];
  https: boolean;
  /** The origin that people use; by default the listening address, if only this machine reaches it. */
  publicUrl?: string | undefined;
  metricsToken?: string | undefined;
  /** Addresses of the internal network that outgoing calls may reach. */
  outgoingAllow?: readonly string[];
  /** `address:port` of the product itself, if a demonstration watches it. */
  monitorOwn?: string | undefined;
  /** Monitoring checks that run at once; none unless given. */
  monitorPlaces?: number;
  /** Folder of the built web pages; none in tests of calls. */
  webFolder?: string | undefined;
  now?: () => Date;
  files: FilesPlace;
  /** Sends verification codes; as text messages unless given. */
  sendCode?: SendCode;
  /** Modules in addition to those of the product. */
  modules?: readonly ModuleDefinition[];
}
export interface FilesPlace {
  /** Folder on this machine: files on their way, and all files unless there is an object store. */
  folder: string;
  s3?: S3Place | undefined;
  clamd?: string | undefined;
  soffice?: string | undefined;
}
export interface App {
  server: FastifyInstance;
  services: Services;
  /** Resolves when background work has started; calls are answered before. */
  working: Promise<void>;
  /** Answers readiness with 503 from now on, so that a proxy sends no more requests here. */
  drain(): void;
  close(): Promise<void>;
}

/** Throws `StartupError` if the replica cannot be reached: not to start is better than every list failing. */
async function answers(databases: Databases): Promise<void> {
  try {
    await databases.read.execute(sql`select 1`);
  } catch (error) {
    await databases.close();
    const { cause = error } = error as Error;
    const reason = (cause as Error).message || (cause as { code?: string }).code;
    throw new StartupError(`只读副本（READ_DATABASE_URL）无法连接：${reason}。请检查该地址，或取消这项设置后再启动。`);
  }
}

/** Milliseconds between the clocks of node and database: a warning from the first, no start from the second. */
const clockToldMs = 2000;
const clockRefusedMs = 30_000;

async function refuseWrongClock(databases: Databases): Promise<void> {
  await databases.look();
  const ahead = databases.ahead();
  if (Math.abs(ahead) < clockRefusedMs) return;
  await databases.close();
  throw new StartupError(
    `本机时钟比数据库${ahead > 0 ? '快' : '慢'} ${Math.round(Math.abs(ahead) / 1000)} 秒，没有启动：请先让两台机器与同一个时间服务器对时。`,
  );
}

/** Refuses to start on a database of an older history, which could only be read. */
async function refuseOlder(databases: Databases): Promise<void> {
  const older = databases.older();
  if (!older) return;
  await databases.close();
  throw new StartupError(`${olderSaid(older)}。没有启动。`);
}

/** The local address of a server that only this machine reaches. */
function localUrl(server: FastifyInstance): string | null {
  const address = server.server.address();
  return address && typeof address === 'object' && isLoopback(address.address)
    ? `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
    : null;
}

/** The file store that the settings name. */
export async function openStore({ folder, s3 }: Pick<FilesPlace, 'folder' | 's3'>): Promise<Store> {
  // The library for object stores is large, and most installations do without.
  return s3
    ? (await import('#kernel/server/files/storage-s3.ts')).createS3Store(s3)
    : createLocalStore(join(folder, 'files'));
}

/** The file store, with the external programs that examine files. */
async function fileStoreOf(
  { files, log, now }: Pick<AppOptions, 'files' | 'log' | 'now'>,
  databases: Databases,
  bus: Bus,
): Promise<Pick<Services, 'fileStore' | 'toPdf'> & { leave(): Promise<void> }> {
  const spoolFolder = join(files.folder, 'incoming');
  await clearSpool(spoolFolder, now?.() ?? houseNow());
  const { store, leave } = await sharedStore(await openStore(files), { databases, bus, log });
  const app = findOffice(files.soffice);
  const scan = files.clamd ? createScan(files.clamd) : null;
  return { fileStore: { store, spoolFolder, scan, databases, log }, toPdf: app ? createToPdf(app) : null, leave };
}

/** The shared services on one database, without HTTP and background work. */
interface Opened {
  services: Services;
  databases: Databases;
  bus: Bus;
  acknowledged: AcknowledgedWrites;
  /** Reports a connection that failed. */
  onError(error: Error): void;
  /** Reports an error unless its cause is known: the process stops, or the primary is away. */
  unlessAway(error: Error, tell: () => void): void;
  close(): Promise<void>;
}
/** Options that do not concern HTTP. */
export type ServicesOptions = Omit<
  AppOptions,
  'trustedProxies' | 'https' | 'metricsToken' | 'monitorPlaces' | 'webFolder'
>;

/** `here` returns the local address of this process, for a product without a public address. */
export async function openServices(options: ServicesOptions, here: () => string | null): Promise<Opened> {
  let closing = false;
  const { outgoingAllow = [], monitorOwn: own } = options;
  // During a stop, the database may close an idle connection before we do. A connection lost with the primary is reported with the primary.
  const unlessAway = (error: Error, tell: () => void) => {
    if (!closing && (databases.saves() || !isLost(error))) tell();
  };
  const tellLost = async (error: Error) => {
    await databases.look();
    unlessAway(error, () => options.log.warn({ reason: error.message }, 'a database connection was lost'));
  };
  const onError = (error: Error) => {
    if (isLost(error)) void tellLost(error);
    else unlessAway(error, () => options.log.error({ err: error }, 'database connection failed'));
  };
  const tellSaved = () => {
    if (databases.saves()) options.log.info('database answers again: what is sent is saved');
  };
  const onPrimary = (up: boolean, error?: Error) => {
    if (closing) return;
    if (up) tellSaved();
    else
      options.log.error(
        { reason: error?.message },
        'database away: nothing can be saved, reads go to the replica if there is one',
      );
  };
  const onOlder = (older: OlderHistory | null) => {
    if (closing) return;
    if (!older) return tellSaved();
    options.log.error({ reason: olderSaid(older) }, 'database of an older history: nothing is written to it');
    void tellLostWrites();
  };
  /** Records confirmed writes that this database lacks before anybody decides which database continues. */
  const tellLostWrites = async () => {
    const place = { folder: options.files.folder, at: momentText(houseNow()) };
    try {
      const lost = await writeLostWrites(databases, acknowledged, place);
      if (lost) options.log.error(lost, 'acknowledged writes that this database does not have are listed in the file');
    } catch (error) {
      options.log.error({ err: error }, 'acknowledged writes could not be compared with the database');
    }
  };
  const onReplica = (up: boolean, error?: Error) => {
    if (up) options.log.info('replica answers again');
    else options.log.warn({ err: error }, 'replica lost: reads go to the primary');
  };
  const acknowledged = createAcknowledgedWrites();
  keepHistory(options.databaseUrl, options.files.folder);
  const databases = openDatabases({
    url: options.databaseUrl,
    readUrl: options.readDatabaseUrl,
    onError,
    onReplica,
    onPrimary,
    onOlder,
    onClock: (ahead) => {
      if (Math.abs(ahead) >= clockToldMs)
        options.log.warn({ aheadMs: Math.round(ahead) }, 'clocks of node and database differ');
    },
  });
  await refuseWrongClock(databases);
  await refuseOlder(databases);
  if (options.readDatabaseUrl) await answers(databases);
  const bus = await openBus(options.databaseUrl, onError);
  const { leave, ...files } = await fileStoreOf(options, databases, bus);
  const services = createServices([...definitions, ...(options.modules ?? [])], {
    databases,
    bus,
    log: options.log,
    secret: options.secret,
    outgoing: createOutgoing({ allow: outgoingAllow }),
    probes: createProbes({ allow: outgoingAllow, own, fping: await findFping() }),
    sendCode: options.sendCode,
    publicUrl: () => options.publicUrl ?? here(),
    ...files,
  });
  return {
    services,
    databases,
    bus,
    acknowledged,
    onError,
    unlessAway,
    async close() {
      closing = true;
      await services.outgoing.close();
      await leave();
      await bus.close();
      await databases.close();
    },
  };
}

/** The whole product on one database, not yet listening. */
export async function openApp(options: AppOptions): Promise<App> {
  const { outgoingAllow = [], monitorOwn: own, now = houseNow } = options;
  const opened = await openServices(options, () => localUrl(server));
  const { services, databases, bus, acknowledged, onError, unlessAway } = opened;
  const { fileStore } = services;
  const { server, metrics } = createApp({
    databases,
    services,
    bus,
    log: options.log,
    acknowledged,
    replica: options.readDatabaseUrl !== undefined,
    keyedHash: services.secretBox.keyedHash,
    now,
    ports: {
      identify: services.identity.identify,
      identifySigned: services.identifySigned,
      identifyByToken: services.identifyByToken,
      remember,
      rememberRefusal,
      exportLater: askForExport,
    },
    modules: services.product.servers(),
    trustedProxies: options.trustedProxies,
    https: options.https,
  });
  const sockets = addSockets(server, {
    path: socketPath,
    bus,
    fresh: databases.fresh,
    log: options.log,
    publicUrl: options.publicUrl,
    redeem: (ticket) => redeemTicket(databases, ticket),
    // A replica may not know sessions that began just now.
    alive: async (sessions) => (databases.saves() ? sessionsAlive(databases.fresh, sessions) : new Set(sessions)),
    endings: ['session', 'rights'],
  });
  metrics.figure('gongdan_sockets', 'Windows that listen on this node', sockets.count);
  metrics.figure('gongdan_jobs_dead', 'Work beside requests that nobody tries any more', () =>
    countDead(databases.fresh),
  );
  const health = addHealth(server, {
    pool: databases.fresh.$client,
    older: databases.older,
    metrics,
    metricsToken: options.metricsToken,
  });
  if (options.webFolder) await addWeb(server, options.webFolder, services.hosting.editors.origin);
  const periodic = startPeriodic(databases, periodicJobs({ store: fileStore.store, log: options.log }), {
    failed: (error, job) => unlessAway(error, () => options.log.error({ err: error, job }, 'periodic job failed')),
    waits: (job) => options.log.info({ job }, 'periodic job waits: others hold its rows'),
  });
  const queue = startJobs({
    url: options.databaseUrl,
    tasks: services.product.tasks(),
    schedules,
    now,
    onError: (error, what) => {
      if (isLost(error)) onError(error);
      else unlessAway(error, () => options.log.error({ err: error, what }, 'job failed'));
    },
  });
  const monitoring = options.monitorPlaces
    ? startMonitoring(services, {
        url: options.databaseUrl,
        history: historyFile(options.files.folder),
        places: options.monitorPlaces,
        allow: outgoingAllow,
        own,
      })
    : null;
  const working = queue.then(() => undefined);
  // Callers that wait learn of a failure; nobody has to wait.
  working.catch(() => undefined);
  return {
    server,
    services,
    working,
    drain: health.drain,
    async close() {
      await server.close();
      await Promise.all([periodic.stop(), queue.then((jobs) => jobs.stop()), monitoring?.then((one) => one.stop())]);
      await opened.close();
    },
  };
}
