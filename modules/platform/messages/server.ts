import { absent } from '#kernel/contract/refusal.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { countIn } from '#modules/platform/people/service/audience.ts';
import { messages, noSession, ticketSeconds } from './contract.ts';
import { recall, send } from './notices/notices.ts';
import { countAll, countUnread, list, setRead, open, readAll, remove } from './inbox/own.ts';
import { keepPreference, preferenceOf } from './outside/preference.ts';
import { subscribe, unsubscribe } from './push/devices.ts';
import { pushKeys } from './push/keys.ts';
import { readers, sent } from './notices/sent.ts';
import type { MessageServices } from './tasks.ts';
import { issueTicket } from './inbox/socket-ticket.ts';

export function messagesModule(services: Pick<MessageServices, 'openWays'>): ServerModule {
  return implement('messages', messages, {
    unread: ({ query }, { tx, user }) => list(tx, user, query, true),
    read: ({ query }, { tx, user }) => list(tx, user, query),
    unreadCount: (_input, { tx, user }) => countUnread(tx, user),
    count: (_input, { tx, user }) => countAll(tx, user),
    get: ({ params }, { tx, user }) => open(tx, user, params.id),
    setRead: ({ params, body }, { tx, user }) => setRead(tx, user, params.id, body),
    remove: async ({ params }, { tx, user }) => {
      if ((await remove(tx, user, [params.id])) === 0) throw absent('该消息');
      return { id: params.id };
    },
    readAll: ({ body }, { tx, user }) => readAll(tx, user, body),
    removeSeveral: async ({ body }, { tx, user }) => ({ count: await remove(tx, user, body.ids) }),
    send: ({ body }, context) => send(context, body),
    reach: async ({ body }, { tx }) => ({ total: await countIn(tx, body.recipients) }),
    sent: ({ query }, { tx, user }) => sent(tx, user, query),
    readers: ({ params, query }, { tx, user }) => readers(tx, user, params.id, query),
    ticket: async (_input, { tx, user }) => {
      if (user.sessionId <= 0) throw noSession();
      return { ticket: await issueTicket(tx, user), expires_in: ticketSeconds };
    },
    preference: async (_input, { tx, user }) => preferenceOf(tx, user, await services.openWays()),
    keepPreference: ({ body }, { tx, user }) => keepPreference(tx, user, body),
    push: async (_input, { services: { databases, secretBox } }) => ({
      key: (await pushKeys(databases, secretBox)).public,
    }),
    subscribe: ({ body }, { tx, user, services: { secretBox } }) => subscribe(tx, user, body, secretBox),
    unsubscribe: ({ body }, { tx, user }) => unsubscribe(tx, user, body.endpoint),
    recall: ({ params }, { tx, user, audit }) => recall(tx, user, params.id, audit),
  });
}
