import { cutTo } from '#kernel/contract/words/cut.ts';
import { createHmac } from 'node:crypto';
import type { ChannelAdapter } from '../service.ts';
import { Undeliverable } from '../service.ts';
import type { AdapterPorts } from './hook.ts';
import { bytesIn, literal } from './words.ts';

/** Body of a payload for a group robot: plain text, markdown, or a card that links to our page. */
export interface RobotBody {
  text: string;
  markdown?: string;
  /** Path in the application, beginning with `/`. Without a public address only the text is sent. */
  path?: string;
  /** Sealed; DingTalk and Feishu may require it. */
  secret?: string;
}

interface Said extends Omit<RobotBody, 'secret' | 'path'> {
  title: string;
  link?: string | undefined;
}
interface Robot {
  message(said: Said): object;
  /** Returns the address and the message, signed if there is a secret. */
  signed?(target: string, message: object, secret: string, now: Date): [string, object];
  /** Codes of errors for which a retry is useless. */
  final: readonly number[];
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');

const robots: Record<'wecom' | 'dingtalk' | 'feishu', Robot> = {
  wecom: {
    final: [93_000, 40_008, 40_058],
    message({ title, text, markdown, link }) {
      if (link)
        return {
          msgtype: 'template_card',
          template_card: {
            card_type: 'text_notice',
            main_title: { title: cutTo(title, 36) },
            sub_title_text: cutTo(text, 112),
            jump_list: [{ type: 1, title: '查看', url: link }],
            card_action: { type: 1, url: link },
          },
        };
      if (markdown) return { msgtype: 'markdown', markdown: { content: cutTo(markdown, 4096, bytesIn) } };
      return { msgtype: 'text', text: { content: cutTo(`${title}\n${text}`, 2048, bytesIn) } };
    },
  },
  dingtalk: {
    final: [300_001, 310_000, 400_013],
    message({ title, text, markdown, link }) {
      if (link)
        return {
          msgtype: 'actionCard',
          actionCard: {
            title,
            text: `### ${literal(title)}\n\n${literal(cutTo(text, 2000)).replaceAll('\n', '\n\n')}`,
            singleTitle: '查看',
            singleURL: link,
          },
        };
      if (markdown) return { msgtype: 'markdown', markdown: { title, text: cutTo(markdown, 5000) } };
      return { msgtype: 'text', text: { content: cutTo(`${title}\n${text}`, 5000) } };
    },
    signed(target, message, secret, now) {
      const url = new URL(target);
      const timestamp = String(now.getTime());
      url.searchParams.set('timestamp', timestamp);
      url.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`));
      return [url.href, message];
    },
  },
  feishu: {
    final: [19_001, 19_021, 19_022, 19_024],
    message({ title, text, markdown, link }) {
      if (!link && !markdown) return { msg_type: 'text', content: { text: cutTo(`${title}\n${text}`, 5000) } };
      const content = markdown
        ? { tag: 'lark_md', content: cutTo(markdown, 5000) }
        : { tag: 'plain_text', content: cutTo(text, 5000) };
      const button = { tag: 'button', type: 'primary', text: { tag: 'plain_text', content: '查看' }, url: link };
      return {
        msg_type: 'interactive',
        card: {
          header: { title: { tag: 'plain_text', content: title } },
          elements: [{ tag: 'div', text: content }, ...(link ? [{ tag: 'action', actions: [button] }] : [])],
        },
      };
    },
    signed(target, message, secret, now) {
      const timestamp = String(Math.floor(now.getTime() / 1000));
      return [target, { timestamp, sign: hmac(`${timestamp}\n${secret}`, ''), ...message }];
    },
  },
};

interface RobotPorts extends AdapterPorts {
  /** The public origin, without a trailing slash. */
  publicUrl(): string | null;
}

/** A platform's group robot. The platforms store no keys of ours, so a retry may appear twice. */
export function robotAdapter(
  kind: keyof typeof robots,
  { outgoing, secretBox, publicUrl, now = () => new Date() }: RobotPorts,
): ChannelAdapter {
  const robot = robots[kind];
  return {
    async send({ key, target, title, body }) {
      const { secret, path, ...said } = body as RobotBody;
      const origin = publicUrl();
      const link = path && origin ? origin + path : undefined;
      const plain = robot.message({ title, link, ...said });
      const [url, message] =
        secret && robot.signed ? robot.signed(target, plain, secretBox.open(secret), now()) : [target, plain];
      const answer = await outgoing.request(url, {
        method: 'POST',
        body: JSON.stringify(message),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
      const { code, words } = read(answer.body);
      if (code === 0 && answer.status === 200) return { answer: words };
      const reason = `对方回答 ${answer.status} ${code ?? ''} ${words}`.trim();
      throw robot.final.includes(code ?? 0) ? new Undeliverable(reason) : new Error(reason);
    },
  };
}

function read(bytes: Buffer): { code: number | null; words: string } {
  try {
    const said = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const code = said['errcode'] ?? said['code'];
    return { code: typeof code === 'number' ? code : null, words: String(said['errmsg'] ?? said['msg'] ?? '') };
  } catch {
    return { code: null, words: '' };
  }
}
