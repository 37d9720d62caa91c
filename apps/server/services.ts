import type { Logger } from 'pino';
import { createAttempts, type Attempts } from '#kernel/server/access/attempts.ts';
import type { Bus } from '#kernel/server/live/bus.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Ports } from '#kernel/server/http/implement.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { createSecretBox, type SecretBox } from '#kernel/server/process/secret-box.ts';
import type { ChannelAdapters } from '#modules/deliveries/service.ts';
import { heldFiles } from '#modules/documents/service.ts';
import { createSigner, type FileStore, type Signer } from '#modules/files/service.ts';
import { createIdentity, type Identity } from '#modules/accounts/sign-in/identity.ts';
import type { SendCode } from '#modules/accounts/sign-in/phone-code.ts';
import { createSettings, type Settings } from '#modules/settings/service.ts';
import { sendsTexts } from '#modules/sms/sending/channels.ts';
import { createCodeSender } from '#modules/sms/service.ts';
import { createSignedIdentity } from '#modules/tokens/identity.ts';
import { createEditors, createPasses, type Hosting } from '#modules/wopi/service.ts';
import { createAdapters } from './adapters.ts';
import { documentFilesRule } from './parts/documents.ts';

/** What modules share beyond a transaction. */
export interface Services {
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  identity: Identity;
  settings: Settings;
  sendCode: SendCode;
  /** Whether a code by text message reaches anybody. */
  codesLeave(): Promise<boolean>;
  secret: string;
  secretBox: SecretBox;
  identifySigned: Ports['identifySigned'];
  identifyByToken: Ports['identifyByToken'];
  hosting: Hosting;
  signer: Signer;
  fileStore: FileStore;
  toPdf: ToPdf | null;
  outgoing: Outgoing;
  adapters: ChannelAdapters;
  /** Origin people use, without a trailing slash; null where nobody has said it and the server is not only for this machine. */
  publicUrl(): string | null;
}

export function createServices(
  base: Pick<Services, 'databases' | 'bus' | 'log' | 'secret' | 'outgoing' | 'publicUrl' | 'fileStore' | 'toPdf'> & {
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
  const codesLeave = async () => base.sendCode !== undefined || sendsTexts(settings);
  const sendCode = base.sendCode ?? createCodeSender({ settings, secretBox });
  const adapters = createAdapters({ ...base, settings, secretBox });
  const passes = createPasses(base.secret);
  const hosting: Hosting = {
    passes,
    settings,
    fileStore: base.fileStore,
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
  return { ...base, ...who, attempts, settings, sendCode, codesLeave, secretBox, signer, adapters, hosting };
}
