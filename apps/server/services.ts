import type { Logger } from 'pino';
import { fileKinds, imageKinds } from '#kernel/contract/upload.ts';
import { createAttempts, type Attempts } from '#kernel/server/attempts.ts';
import type { Bus } from '#kernel/server/bus.ts';
import type { Databases } from '#kernel/server/db.ts';
import type { Ports, ServerModule } from '#kernel/server/implement.ts';
import type { ToPdf } from '#kernel/server/office-pdf.ts';
import type { Task } from '#kernel/server/jobs.ts';
import type { Outgoing } from '#kernel/server/outgoing.ts';
import type { Schedule } from '#kernel/server/schedules.ts';
import { createSecretBox, type SecretBox } from '#kernel/server/secret-box.ts';
import { buttonModule } from '#modules/access/server/buttons.ts';
import { menuModule } from '#modules/access/server/menus.ts';
import { roleModule } from '#modules/access/server/roles.ts';
import { ticketActionsModule } from '#modules/tickets/actions.ts';
import { answeringModule } from '#modules/tickets/answering.ts';
import { handoverModule } from '#modules/tickets/handover.ts';
import { poolTask } from '#modules/tickets/pools.ts';
import { statisticsModule } from '#modules/tickets/statistics.ts';
import { ticketsModule } from '#modules/tickets/server.ts';
import { dutiesOf, linkedTickets, openTicketsOf, recordsOf, seesFile } from '#modules/tickets/service.ts';
import { designModule } from '#modules/workflows/server/design.ts';
import { noticeModule } from '#modules/workflows/server/notices.ts';
import { partModule } from '#modules/workflows/server/parts.ts';
import { releaseModule } from '#modules/workflows/server/release.ts';
import { workflowsModule } from '#modules/workflows/server.ts';
import { alumniModule } from '#modules/alumni/server.ts';
import { auditModule } from '#modules/audit/server.ts';
import { hookCarrier } from '#modules/deliveries/carriers/hook.ts';
import { mailCarrier } from '#modules/deliveries/carriers/mail.ts';
import { robotCarrier } from '#modules/deliveries/carriers/robots.ts';
import { deliverTask, resume, resumeTask } from '#modules/deliveries/deliver.ts';
import { deliveriesModule } from '#modules/deliveries/server.ts';
import type { Carriers } from '#modules/deliveries/service.ts';
import { docsModule } from '#modules/docs/server.ts';
import { documentCodeModule } from '#modules/documents/server/qrcode.ts';
import { documentArchiveModule } from '#modules/documents/archive/server.ts';
import { documentRecordsModule } from '#modules/documents/records/server.ts';
import { documentAdoptionModule } from '#modules/documents/server/adopt.ts';
import { documentFilesModule } from '#modules/documents/server/files.ts';
import { documentSettingsModule } from '#modules/documents/server/settings.ts';
import { finalTask } from '#modules/documents/layout/final.ts';
import { documentLayoutModule } from '#modules/documents/server/layout.ts';
import { documentStatisticsModule } from '#modules/documents/statistics/server.ts';
import { documentsModule } from '#modules/documents/server.ts';
import {
  documentsOpenedBy,
  followedDocuments,
  heldFiles,
  isSecret,
  linkedDocuments,
  packageModule,
  packingTask,
  seesFile as seesDocumentFile,
  seesPackage,
  verifiedDocuments,
} from '#modules/documents/service.ts';
import { distributionsModule } from '#modules/distributions/server.ts';
import { receivedDocuments } from '#modules/distributions/service.ts';
import { distributionSchedules, distributionTask } from '#modules/distributions/tasks.ts';
import { filesModule } from '#modules/files/server.ts';
import { calendarsModule } from '#modules/calendars/server.ts';
import { foldersModule } from '#modules/folders/server.ts';
import { followedPapers, linkedPapers, seesPaper } from '#modules/folders/service.ts';
import { linksModule } from '#modules/links/server.ts';
import { linksAmong } from '#modules/links/service.ts';
import { paperSchedules, paperTask } from '#modules/folders/telling.ts';
import { createSigner, type OwnerRule, type Owners, type Shelf, type Signer } from '#modules/files/service.ts';
import { createIdentity, type Identity } from '#modules/accounts/identity.ts';
import { messagesModule } from '#modules/messages/server.ts';
import { byMail, type Ways } from '#modules/messages/service.ts';
import { messageSchedules, messageTasks } from '#modules/messages/tasks.ts';
import { redheadsModule } from '#modules/redheads/server.ts';
import { noticesModule } from '#modules/notices/server.ts';
import { documentNoticeTask } from '#modules/notices/tasks.ts';
import { peopleModule } from '#modules/people/server.ts';
import type { SendCode } from '#modules/accounts/phone-code.ts';
import { accountsModule } from '#modules/accounts/server.ts';
import { settingsModule } from '#modules/settings/server.ts';
import { signOnModule } from '#modules/signon/server.ts';
import { createSettings, type Settings } from '#modules/settings/service.ts';
import { standInsModule } from '#modules/standins/server.ts';
import { awayNow } from '#modules/standins/service.ts';
import { smsCarrier } from '#modules/sms/carrier.ts';
import { receiptTask, smsSchedules } from '#modules/sms/receipts.ts';
import { smsModule } from '#modules/sms/server.ts';
import { createCodeSender, messageTemplate, textPeople, textTest } from '#modules/sms/service.ts';
import { createSignedIdentity } from '#modules/tokens/identity.ts';
import { tokensModule } from '#modules/tokens/server.ts';
import { verificationModule } from '#modules/verification/server.ts';
import type { VerifiedRecords } from '#modules/verification/service.ts';
import { wopiModule } from '#modules/wopi/server.ts';
import { createEditors, createPasses, type Hosting } from '#modules/wopi/service.ts';
import { productVersion } from './product.ts';

/** What modules share beyond a transaction. */
export interface Services {
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  identity: Identity;
  settings: Settings;
  sendCode: SendCode;
  secret: string;
  secretBox: SecretBox;
  identifySigned: Ports['identifySigned'];
  identifyByToken: Ports['identifyByToken'];
  hosting: Hosting;
  signer: Signer;
  shelf: Shelf;
  toPdf: ToPdf | null;
  outgoing: Outgoing;
  carriers: Carriers;
  /** Origin people use, without a trailing slash; null where nobody has said it and the server is not only for this machine. */
  publicUrl(): string | null;
}

export function createServices(
  base: Pick<Services, 'databases' | 'bus' | 'log' | 'secret' | 'outgoing' | 'publicUrl' | 'shelf' | 'toPdf'> & {
    sendCode?: SendCode | undefined;
  },
): Services {
  const attempts = createAttempts(base.databases.pool);
  const settings = createSettings({ fresh: base.databases.fresh, bus: base.bus });
  const identity = createIdentity({
    secret: base.secret,
    fresh: base.databases.fresh,
    write: base.databases.write,
    bus: base.bus,
    sessionHours: async () => (await settings.get('login')).session_hours,
    onError: (error) => base.log.error({ err: error }, 'session not prolonged'),
  });
  const secretBox = createSecretBox(base.secret);
  const identifySigned = createSignedIdentity(base.databases, secretBox, attempts);
  const signer = createSigner(base.secret);
  const sendCode = base.sendCode ?? createCodeSender({ settings, secretBox });
  const ports = { outgoing: base.outgoing, settings, secretBox, publicUrl: base.publicUrl };
  const carriers: Carriers = {
    sms: smsCarrier({ ...base, settings, secretBox }),
    mail: mailCarrier(ports),
    hook: hookCarrier(ports),
    wecom: robotCarrier('wecom', ports),
    dingtalk: robotCarrier('dingtalk', ports),
    feishu: robotCarrier('feishu', ports),
  };
  const passes = createPasses(base.secret);
  const hosting: Hosting = {
    passes,
    settings,
    shelf: base.shelf,
    toPdf: base.toPdf,
    editors: createEditors({ ...base, settings }),
    files: heldFiles(documentFilesRule),
    house: base.publicUrl,
  };
  const identifyByToken: Services['identifyByToken'] = async (token, now) => {
    const pass = passes.read(token, now);
    return pass && identity.ofSession(pass.userId, pass.sessionId);
  };
  const who = { identity, identifySigned, identifyByToken };
  return { ...base, ...who, attempts, settings, sendCode, secretBox, signer, carriers, hosting };
}

// Whose records tickets decide, and who hears of each turn.
recordsOf({ documents: followedDocuments, folders: followedPapers });
// By what else people see documents.
documentsOpenedBy(receivedDocuments);

// Whose records may be linked to each other.
linksAmong({ tickets: linkedTickets, documents: linkedDocuments, folders: linkedPapers });

/** Whose records anybody may check by the code printed on them. */
const verifiedRecords: VerifiedRecords = { documents: verifiedDocuments };

const pictures = { kinds: imageKinds, may: async () => true } as const;
const documentFilesRule: OwnerRule = {
  kinds: fileKinds,
  imageSize: 2560,
  marked: true,
  alwaysMarked: (recordId, tx) => isSecret(tx, 'document', Number(recordId)),
  may: seesDocumentFile,
};
/** Which records hold files, and who sees them there. */
const owners: Owners = {
  people: { ...pictures, imageSize: 512 },
  settings: { ...pictures, imageSize: 1024 },
  documents: documentFilesRule,
  [packageModule]: { kinds: [], imageSize: 0, may: seesPackage },
  tickets: {
    kinds: fileKinds,
    imageSize: 2560,
    marked: true,
    alwaysMarked: (recordId, tx) => isSecret(tx, 'ticket', Number(recordId)),
    may: (viewer, file, tx) => seesFile(tx, viewer, file),
  },
  folders: {
    kinds: fileKinds,
    imageSize: 2560,
    marked: true,
    may: (viewer, file, tx) => seesPaper(tx, viewer, Number(file.recordId)),
  },
};

/** Ways in which messages reach people besides their box. A text message gives the title only. */
function waysOf(services: Services): Ways {
  return {
    mail: byMail,
    sms: (tx, { to, title, messageId }) => {
      const about = { module: 'messages', objectId: messageId, once: true };
      return textPeople(
        tx,
        { template: messageTemplate, to: [to.id], params: { title }, ...about },
        services,
        new Date(),
      );
    },
  };
}

/** What is done beside requests. */
export function tasksOf(services: Services): Task[] {
  return [
    deliverTask(services),
    poolTask({
      databases: services.databases,
      broken: (error, ticket) => services.log.error({ err: error, ticket }, 'ticket left as it is'),
    }) as Task,
    resumeTask(services),
    ...messageTasks({ ...services, ways: waysOf(services), dutiesOf }),
    paperTask(services.databases),
    packingTask({ ...services, version: productVersion }),
    finalTask(services),
    receiptTask(services),
    distributionTask(services.databases),
    documentNoticeTask(services.databases) as Task,
  ];
}

export const schedules: Schedule[] = [
  { task: resume, cron: '*/5 * * * *' },
  ...messageSchedules,
  ...paperSchedules,
  ...smsSchedules,
  ...distributionSchedules,
];

/** The product: every module that answers calls. */
export function modulesOf(services: Services): ServerModule[] {
  const signOn = signOnModule(services);
  const modules: ServerModule[] = [
    accountsModule({ ...services, leaveUrl: signOn.leaveUrl }),
    signOn,
    settingsModule(services),
    menuModule,
    buttonModule,
    roleModule,
    peopleModule({ ...services, openTickets: openTicketsOf, awayNow }),
    workflowsModule,
    partModule,
    releaseModule,
    noticeModule(services),
    designModule,
    ticketsModule(services),
    ticketActionsModule(services),
    answeringModule(services),
    statisticsModule,
    documentsModule(services),
    documentSettingsModule,
    documentRecordsModule(services),
    documentArchiveModule,
    documentCodeModule(services),
    verificationModule({ ...services, records: verifiedRecords }),
    documentLayoutModule(services),
    redheadsModule,
    distributionsModule(services),
    noticesModule,
    documentAdoptionModule,
    documentStatisticsModule,
    documentFilesModule(services),
    wopiModule(services.hosting),
    handoverModule,
    standInsModule,
    calendarsModule,
    auditModule,
    messagesModule({ ways: waysOf(services) }),
    smsModule(services),
    alumniModule(services),
    deliveriesModule({ textTest: (tx, mobile) => textTest(tx, mobile, services) }),
    filesModule({ owners, ...services }),
    foldersModule(services),
    linksModule,
    tokensModule(services.secretBox, () => modules.flatMap((module) => module.calls.map(({ call }) => call))),
  ];
  return [...modules, docsModule({ version: productVersion, modules })];
}
