import type { QueryOf } from '#kernel/contract/call.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { sms } from './contract.ts';
import { onlySuper, smsRules } from './contract/rules.ts';
import type { Selection } from './contract/sending.ts';
import { smsTemplates } from './contract/templates.ts';
import { countOf } from './sending/counting.ts';
import { listLogs, resend, sendersOf } from './logs/logs.ts';
import { addOptOut, listOptOuts, removeOptOut } from './templates/optouts.ts';
import { hear, renewReplyKey, replyPath } from './logs/replies.ts';
import { confirm, send } from './sending/sending.ts';
import { smsStatistics } from './logs/statistics.ts';
import { templateHandlers, usableTemplates } from './templates/templates.ts';
import { waiting, withdraw } from './sending/withdrawing.ts';

export const smsTemplateModule = implement('sms', smsTemplates, templateHandlers);

export const smsModule = implement('sms', sms, {
  send: ({ body }, { tx, user, now, audit, services }) =>
    body.confirm_token
      ? confirm(tx, { user, now, audit }, body.confirm_token, services)
      : send(tx, { user, now, audit }, body, services),
  count: ({ query }, { tx, user, now, services }) => countOf(tx, user, selectionOf(query), services, now),
  countLong: ({ body }, { tx, user, now, services }) => countOf(tx, user, body, services, now),
  waiting: ({ query }, { tx, user, services }) => waiting(tx, user, query, services),
  withdraw: ({ params }, { tx, user, audit, services }) => withdraw(tx, { user, audit }, params.id, services),
  logs: ({ query }, { tx, user }) => listLogs(tx, user, query),
  senders: (_input, { tx, user }) => sendersOf(tx, user),
  resend: ({ params }, { tx, user, now, audit, services }) => resend(tx, { user, now, audit }, params.id, services),
  statistics: smsStatistics,
  optOuts: ({ query }, { tx }) => listOptOuts(tx, query),
  optOut: ({ body }, { tx, user, audit, services }) => addOptOut(tx, user, body, services.secretBox, audit),
  optIn: ({ params }, { tx, audit }) => removeOptOut(tx, params.id, audit),
  reply: ({ query, body }, { tx, services }) => hear(tx, query.key, body, services),
  replyAddress: async (_input, { tx, services }) => ({ path: await replyPath(tx, services.secretBox) }),
  renewReplyAddress: async (_input, { tx, audit, services }) => ({
    path: await renewReplyKey(tx, services.secretBox, audit),
  }),
  usable: (_input, { tx }) => usableTemplates(tx),
  ...ruleHandlers(smsRules, {
    demand(user) {
      if (!user.superAdmin) throw onlySuper();
    },
  }),
});

const filters = ['college', 'major', 'enter_year', 'graduate_year', 'city', 'degree', 'search_value'] as const;

/** In an address all fields are on one level; without any field of the alumni filter no alumni are chosen. */
function selectionOf({ users = [], depts = [], roles = [], ...query }: QueryOf<typeof sms.count>): Selection {
  const parts = filters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return {
    ...query,
    recipients: { all: false, users, depts, roles },
    ...(parts.length > 0 ? { alumnus_filter: Object.fromEntries(parts) as Selection['alumnus_filter'] } : {}),
  };
}
