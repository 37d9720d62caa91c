import type { Services } from '#kernel/server/services.ts';
import { codeWays } from '#modules/settings/contract/interfaces.ts';

/** Whether mail can leave: both its server and the sender's address are set. */
export async function sendsMail(settings: Services['settings']): Promise<boolean> {
  return codeWays(await settings.get('interface')).includes('mail');
}
