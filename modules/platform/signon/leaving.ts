import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { openWays, type Settings } from '#modules/platform/settings/service.ts';
import { askBy } from './providers/outside.ts';
import { createProviders } from './providers/providers.ts';

interface LeavingServices {
  settings: Settings;
  secretBox: SecretBox;
  outgoing: Outgoing;
  publicUrl(): string | null;
}

/** The address at which a single sign-on provider ends its own session; null if it cannot be reached or offers none. */
export function leaveUrl({ settings, secretBox, outgoing, publicUrl }: LeavingServices): () => Promise<string | null> {
  const providerOf = createProviders(askBy(outgoing), secretBox.open);
  return async () => {
    const home = publicUrl();
    const interfaces = await settings.get('interface');
    const open = openWays(await settings.get('login'), interfaces).sso;
    const sso = open ? await providerOf(interfaces) : null;
    return home && sso ? sso.provider.leave(`${home}/login`).catch(() => null) : null;
  };
}
