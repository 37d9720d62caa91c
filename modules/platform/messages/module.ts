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

/** Ways in which messages reach people besides their box. A text message gives the title only, and the page where that is asked for. */
const waysOf = (services: Services): Ways => ({
  mail: (tx, message) => byMail(tx, message, services.publicUrl()),
  push: byPush,
  sms: (tx, { to, title, messageId, web_path: path, besides }) => {
    const origin = besides ? services.publicUrl() : null;
    const parts = [title, besides?.reason ? `：${besides.reason}` : '', origin ? ` ${origin}${path || '/msg'} ` : ''];
    // Rather told twice than not: the first of several says nothing of the others.
    const about = { module: 'messages', objectId: messageId, once: !besides };
    const message = { template: messageTemplate, to: [to.id], params: { title: parts }, own: besides?.own, ...about };
    return textPeople(tx, message, services, houseNow());
  },
});

/** Those of them that are set up, so that what people choose reaches them. */
async function openWaysOf({ settings }: Services): Promise<(keyof Ways)[]> {
  const open = { mail: await sendsMail(settings), sms: await sendsTexts(settings), push: true };
  return (['mail', 'sms', 'push'] as const).filter((way) => open[way]);
}

export const messages: ModuleDefinition = {
  menus,
  news: [messageNews, accountNews],
  servers: (services) => [messagesModule({ openWays: () => openWaysOf(services) })],
  tasks: (services) => [
    ...messageTasks({ ...services, ways: waysOf(services) }),
    digestTask(services.databases, (tx) => dutiesOf(tx, services.product.waits)),
  ],
  schedules: messageSchedules,
  waits: [messageWaits],
};
