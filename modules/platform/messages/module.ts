import { houseNow } from '#kernel/server/process/clock.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import type { Services } from '#kernel/server/services.ts';
import { sendsMail } from '#modules/platform/deliveries/service.ts';
import { messageTemplate, sendsTexts, textPeople } from '#modules/platform/sms/service.ts';
import { dutiesOf } from '#modules/platform/waits/service.ts';
import { messageWaits } from './inbox/waiting.ts';
import { digestTask } from './outside/digest.ts';
import { accountNews, messageNews } from './service/news.ts';
import { menus } from './seed.ts';
import { messagesModule } from './server.ts';
import { byMail, byPush, type Ways } from './service.ts';
import { messageSchedules, messageTasks } from './tasks.ts';

/** Channels of messages besides the box. A text message contains the title only, and the page's address if requested. */
const waysOf = (services: Services): Ways => ({
  mail: (tx, message) => byMail(tx, message, services.publicUrl()),
  push: byPush,
  sms: (tx, { to, title, messageId, web_path: path, besides }) => {
    const origin = besides ? services.publicUrl() : null;
    const parts = [title, besides?.reason ? `：${besides.reason}` : '', origin ? ` ${origin}${path || '/msg'} ` : ''];
    // Better told twice than never: the first of several messages says nothing about the others.
    const about = { module: 'messages', objectId: messageId, once: !besides };
    const message = { template: messageTemplate, to: [to.id], params: { title: parts }, own: besides?.own, ...about };
    return textPeople(tx, message, services, houseNow());
  },
});

/** The configured channels, so that people's choices reach them. */
async function openWaysOf({ settings }: Services): Promise<(keyof Ways)[]> {
  const open = { mail: await sendsMail(settings), sms: await sendsTexts(settings), push: true };
  return (['mail', 'sms', 'push'] as const).filter((way) => open[way]);
}

export const messages: ModuleDefinition = {
  logNames: { messages: '消息与通知' },
  menus,
  grants: {
    office_admin: 'msg/send:*',
  },
  news: [messageNews, accountNews],
  servers: (services) => [messagesModule({ openWays: () => openWaysOf(services) })],
  tasks: (services) => [
    ...messageTasks({ ...services, ways: waysOf(services) }),
    digestTask(services.databases, (tx) => dutiesOf(tx, services.product.waits)),
  ],
  schedules: messageSchedules,
  waits: [messageWaits],
};
