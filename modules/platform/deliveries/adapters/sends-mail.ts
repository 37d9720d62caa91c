import type { Services } from '#kernel/server/services.ts';
import { codeWays } from '#modules/platform/settings/contract/interfaces.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';

/** True if mail can be sent: both its server and the sender's address are configured. */
export async function sendsMail(settings: Services['settings']): Promise<boolean> {
  // A restored copy sends nothing.
  if (await isQuiet(settings)) return false;
  return codeWays(await settings.get('interface')).includes('mail');
}
