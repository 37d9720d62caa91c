import type { Services } from '#kernel/server/services.ts';

/** Whether mail can leave: both its server and the sender's address are set. */
export async function sendsMail(settings: Services['settings']): Promise<boolean> {
  const { host, from } = (await settings.get('interface'))['mail'] ?? {};
  return Boolean(host && from);
}
