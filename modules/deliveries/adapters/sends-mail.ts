import type { Settings } from '#modules/settings/service.ts';

/** Whether mail can leave: both its server and the sender's address are set. */
export async function sendsMail(settings: Settings): Promise<boolean> {
  const { host, from } = (await settings.get('interface'))['mail'] ?? {};
  return Boolean(host && from);
}
