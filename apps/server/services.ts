import { createAttempts } from '#kernel/server/access/attempts.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { createIdentity } from '#modules/platform/accounts/sign-in/identity.ts';
import type { SendCode } from '#modules/platform/accounts/sign-in/phone-code.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import type { Services } from '#kernel/server/services.ts';
import { documentFilesRule, heldFiles } from '#modules/office/documents/service.ts';
import { createSigner } from '#modules/platform/files/service.ts';
import { createSettings } from '#modules/platform/settings/service.ts';
import { createCodeSender, sendsTexts } from '#modules/platform/sms/service.ts';
import { createSignedIdentity } from '#modules/platform/tokens/identity.ts';
import { createEditors, createPasses, type Hosting } from '#modules/platform/wopi/service.ts';
import { createAdapters } from './adapters.ts';
import { productOf } from './modules.ts';
import { productVersion } from './product.ts';

/** Creates the services that a product of these modules shares. */
export function createServices(
  modules: readonly ModuleDefinition[],
  base: Pick<
    Services,
    'databases' | 'bus' | 'log' | 'secret' | 'outgoing' | 'probes' | 'publicUrl' | 'fileStore' | 'toPdf'
  > & {
    sendCode?: SendCode | undefined;
  },
): Services {
  const attempts = createAttempts(base.databases.pool);
  const settings = createSettings({ fresh: base.databases.fresh, bus: base.bus });
  const identity = createIdentity({
    secret: base.secret,
    databases: base.databases,
    bus: base.bus,
    apart: async () => (await settings.get('login')).dengbao,
    sessionHours: async () => (await settings.get('login')).session_hours,
    onError: (error) => base.log.error({ err: error }, 'session not prolonged'),
  });
  const secretBox = createSecretBox(base.secret);
  const identifySigned = createSignedIdentity(base.databases, secretBox, attempts);
  const signer = createSigner(base.secret);
  const codesLeave = async () => base.sendCode !== undefined || sendsTexts(settings);
  const sendCode = base.sendCode ?? createCodeSender({ settings, secretBox, publicUrl: base.publicUrl });
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
  const shared = {
    version: productVersion,
    ...base,
    ...who,
    attempts,
    settings,
    sendCode,
    codesLeave,
    secretBox,
    signer,
    adapters,
    hosting,
  } as Services;
  shared.product = productOf(shared, modules);
  base.databases.serve(shared);
  return shared;
}
