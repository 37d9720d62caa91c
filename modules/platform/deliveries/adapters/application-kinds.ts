import type { Asked } from '#kernel/server/outside/outgoing.ts';
import { cutTo } from '#kernel/contract/words/cut.ts';
import { Undeliverable } from '../service.ts';
import { literal } from './words.ts';

/** An application as registered on its platform. */
export interface Application {
  /** Address of the platform's API, without a trailing slash. */
  url: string;
  id: string;
  /** Its agent number, if the platform uses one. */
  agent: string;
}

/** A card as people see it. */
export interface Shown {
  title: string;
  text: string;
  link: string | null;
  choices: readonly { title: string; url: string }[];
  /** True if nothing can be done with it any more. */
  over: boolean;
}

/** The platform refused the request. */
export class Turned extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Ask = (url: string, asked?: Asked) => Promise<Record<string, unknown>>;
interface Addressed {
  user: string;
  /** The same on every try; 48 letters. */
  key: string;
  app: Application;
}
type ToRight = Addressed & { reference: string };

interface Kind {
  token(ask: Ask, app: Application, secret: string): Promise<{ token: string; seconds: number }>;
  /** Returns the reference by which the card can be updated. */
  send(ask: Ask, token: string, to: Addressed, shown: Shown): Promise<string>;
  putRight(ask: Ask, token: string, to: ToRight, shown: Shown): Promise<void>;
  /** Codes for an expired token. */
  stale: readonly number[];
  /** Codes of errors for which a retry is useless. */
  final: readonly number[];
}

const json = (body: object, token?: string): Asked => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
});
const text = (said: unknown): string => (typeof said === 'string' || typeof said === 'number' ? String(said) : '');
const partOf = (said: Record<string, unknown>, name: string) => (said[name] ?? {}) as Record<string, unknown>;
const tokenIn = (said: Record<string, unknown>, name: string, seconds: unknown) => ({
  token: text(said[name]),
  seconds: Number(seconds ?? 7200),
});

const feishuCard = ({ title, text: words, link, choices, over }: Shown) => {
  const button = (label: string, url: string, type: string) => ({
    tag: 'button',
    type,
    text: { tag: 'plain_text', content: label },
    url,
  });
  const buttons = [
    ...choices.map((one, index) => button(one.title, one.url, index === 0 ? 'primary' : 'default')),
    ...(link ? [button('查看', link, choices.length > 0 ? 'default' : 'primary')] : []),
  ];
  return JSON.stringify({
    config: { wide_screen_mode: true, update_multi: true },
    header: { template: over ? 'grey' : 'blue', title: { tag: 'plain_text', content: title } },
    elements: [
      { tag: 'div', text: { tag: 'plain_text', content: cutTo(words, 5000) } },
      ...(buttons.length > 0 ? [{ tag: 'action', actions: buttons }] : []),
    ],
  });
};

const wecomCard = ({ title, text: words, link, choices }: Shown, key: string) => {
  const face = { main_title: { title: cutTo(title, 36) }, sub_title_text: cutTo(words, 112) };
  const action = link ? { card_action: { type: 1, url: link } } : {};
  if (choices.length > 0)
    return {
      card_type: 'button_interaction',
      ...face,
      ...action,
      task_id: key,
      button_list: choices.map((one, index) => ({
        type: 1,
        text: one.title,
        style: index === 0 ? 1 : 4,
        url: one.url,
      })),
    };
  return {
    card_type: 'text_notice',
    ...face,
    ...action,
    ...(link && { jump_list: [{ type: 1, title: '查看', url: link }] }),
  };
};

/** The message formats of the three platforms' applications, by their public interfaces. */
export const applications: Record<'wecom' | 'dingtalk' | 'feishu', Kind> = {
  wecom: {
    stale: [40_014, 41_001, 42_001],
    final: [40_056, 60_111, 81_013],
    async token(ask, { url, id }, secret) {
      const said = await ask(`${url}/cgi-bin/gettoken?${asQuery({ corpid: id, corpsecret: secret })}`);
      return tokenIn(said, 'access_token', said['expires_in']);
    },
    async send(ask, token, { user, key, app }, shown) {
      const said = await ask(
        `${app.url}/cgi-bin/message/send?${asQuery({ access_token: token })}`,
        json({
          touser: user,
          msgtype: 'template_card',
          agentid: Number(app.agent),
          template_card: wecomCard(shown, key),
          enable_duplicate_check: 1,
        }),
      );
      if (text(said['invaliduser']) !== '') throw new Undeliverable(`对方没有用户“${user}”，或不在应用的可见范围内`);
      return text(said['response_code']) || `msg:${text(said['msgid'])}`;
    },
    async putRight(ask, token, { user, key, app, reference }, shown) {
      // A card without buttons gets no reference for updates.
      if (reference.startsWith('msg:')) return;
      const template_card = wecomCard(shown, key);
      const body = { userids: [user], agentid: Number(app.agent), response_code: reference, template_card };
      await ask(`${app.url}/cgi-bin/message/update_template_card?${asQuery({ access_token: token })}`, json(body));
    },
  },
  dingtalk: {
    stale: [40_014, 42_001],
    final: [33_012],
    async token(ask, { url, id }, secret) {
      const said = await ask(`${url}/gettoken?${asQuery({ appkey: id, appsecret: secret })}`);
      return tokenIn(said, 'access_token', said['expires_in']);
    },
    async send(ask, token, { user, app }, { title, text: words, link, choices }) {
      const buttons = [...choices, ...(link ? [{ title: '查看', url: link }] : [])];
      const markdown = `### ${literal(title)}\n\n${literal(cutTo(words, 900)).replaceAll('\n', '\n\n')}`;
      const msg =
        buttons.length === 0
          ? { msgtype: 'markdown', markdown: { title, text: markdown } }
          : {
              msgtype: 'action_card',
              action_card: {
                title,
                markdown,
                btn_orientation: '1',
                btn_json_list: buttons.map((one) => ({ title: cutTo(one.title, 20), action_url: one.url })),
              },
            };
      const said = await ask(
        `${app.url}/topapi/message/corpconversation/asyncsend_v2?${asQuery({ access_token: token })}`,
        json({ agent_id: app.agent, userid_list: user, msg }),
      );
      return text(said['task_id']);
    },
    // Such a card cannot be changed, so it is recalled.
    async putRight(ask, token, { app, reference }) {
      await ask(
        `${app.url}/topapi/message/corpconversation/recall?${asQuery({ access_token: token })}`,
        json({ agent_id: app.agent, msg_task_id: reference }),
      );
    },
  },
  feishu: {
    stale: [99_991_661, 99_991_663, 99_991_668],
    final: [230_001, 230_011, 230_013, 230_031, 230_099],
    async token(ask, { url, id }, secret) {
      const body = { app_id: id, app_secret: secret };
      const said = await ask(`${url}/open-apis/auth/v3/tenant_access_token/internal`, json(body));
      return tokenIn(said, 'tenant_access_token', said['expire']);
    },
    async send(ask, token, { user, key, app }, shown) {
      const body = { receive_id: user, msg_type: 'interactive', content: feishuCard(shown), uuid: key };
      const said = await ask(`${app.url}/open-apis/im/v1/messages?receive_id_type=user_id`, json(body, token));
      return text(partOf(said, 'data')['message_id']);
    },
    async putRight(ask, token, { app, reference }, shown) {
      const asked = { ...json({ content: feishuCard(shown) }, token), method: 'PATCH' as const };
      await ask(`${app.url}/open-apis/im/v1/messages/${encodeURIComponent(reference)}`, asked);
    },
  },
};

const asQuery = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
