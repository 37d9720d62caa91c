import { sendsMail } from '#modules/deliveries/adapters/mail.ts';
import { messageWaits } from '#modules/messages/inbox/waiting.ts';
import { menus } from '#modules/messages/seed.ts';
import { messagesModule } from '#modules/messages/server.ts';
import { byMail, type Ways } from '#modules/messages/service.ts';
import { messageSchedules, messageTasks } from '#modules/messages/tasks.ts';
import { sendsTexts } from '#modules/sms/sending/channels.ts';
import { messageTemplate, textPeople } from '#modules/sms/service.ts';
import type { Part } from '../part.ts';
import type { Services } from '../services.ts';

/** Ways in which messages reach people besides their box. A text message gives the title only. */
const waysOf = (services: Services): Ways => ({
  mail: (tx, message) => byMail(tx, message, services.publicUrl()),
  sms: (tx, { to, title, messageId }) => {
    const about = { module: 'messages', objectId: messageId, once: true };
    const message = { template: messageTemplate, to: [to.id], params: { title }, ...about };
    return textPeople(tx, message, services, new Date());
  },
});

/** Those of them that are set up, so that what people choose reaches them. */
async function openWaysOf({ settings }: Services): Promise<(keyof Ways)[]> {
  const open = { mail: await sendsMail(settings), sms: await sendsTexts(settings) };
  return (['mail', 'sms'] as const).filter((way) => open[way]);
}

export const messagesPart: Part = {
  menus,
  servers: (services) => [messagesModule({ openWays: () => openWaysOf(services) })],
  tasks: (services) => messageTasks({ ...services, ways: waysOf(services) }),
  schedules: messageSchedules,
  waits: [messageWaits],
};
