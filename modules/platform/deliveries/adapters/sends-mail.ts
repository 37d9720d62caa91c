import type { Services } from '#kernel/server/services.ts';
import { codeWays } from '#modules/platform/settings/contract/interfaces.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';

/** Whether mail can leave: both its server and the sender's address are set. */
export async function sendsMail(settings: Services['settings']): Promise<boolean> {
  // Nothing leaves a copy that was restored.
  if (await isQuiet(settings)) return false;
  return codeWays(await settings.get('interface')).includes('mail');
}
