import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { NotAllowed, type Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import type { Services } from '#kernel/server/services.ts';
import { hiddenCode, Undeliverable, type ChannelAdapter } from '../service.ts';

/** Body of a payload by mail. */
export interface MailBody {
  text: string;
  html?: string;
  /** A sealed code, which replaces `hiddenCode` in the text. Empty if nobody may receive it. */
  secret?: string;
  /** Seconds since 1970 after which it is useless. */
  until?: number;
}

interface MailPorts {
  settings: Services['settings'];
  secretBox: SecretBox;
  outgoing: Pick<Outgoing, 'reach'>;
}

const unreachable = (server: string) => `无法连接邮件服务器 ${server}，请在接口设置中核对地址和端口`;
const unsigned = () => '邮件服务器不接受所设的用户名和密码，请在接口设置中核对';
const unsafe = (server: string) => `无法与邮件服务器 ${server} 建立加密连接，请核对端口或服务器证书`;
/** Explanations of failures for readers of the delivery log, by nodemailer's code. */
const troubles: Record<string, (server: string) => string> = {
  ECONNECTION: unreachable,
  ESOCKET: unreachable,
  EDNS: unreachable,
  ETIMEDOUT: (server) => `邮件服务器 ${server} 没有及时回答，稍后会再试`,
  ETLS: unsafe,
  EREQUIRETLS: unsafe,
  EAUTH: unsigned,
  ENOAUTH: unsigned,
  EENVELOPE: () => '邮件服务器暂时不收这封邮件，稍后会再试',
  EMESSAGE: () => '邮件服务器没有收下这封邮件，稍后会再试',
  EPROTOCOL: (server) => `邮件服务器 ${server} 的回答无法识别，请在接口设置中核对地址和端口`,
};

/** The address of the mail server; one inside the network only if the operator allows it. */
async function allowed(outgoing: MailPorts['outgoing'], host: string): Promise<string> {
  try {
    return await outgoing.reach(host);
  } catch (error) {
    if (error instanceof NotAllowed) throw new Undeliverable(`邮件没有发出：${error.message}`, { cause: error });
    throw new Error(`${unreachable(host)}（${(error as Error).message}）`, { cause: error });
  }
}

/** Mail through the configured server. A retry has the same Message-ID, by which mail servers recognise it. */
export function mailAdapter({ settings, secretBox, outgoing }: MailPorts): ChannelAdapter {
  return {
    async send({ key, target, title, body }) {
      const { text, html, secret, until } = body as MailBody;
      const code = secret === undefined ? null : secretBox.open(secret);
      if (code === '') throw new Undeliverable('该邮箱不能用于找回密码');
      if (until !== undefined && houseNow().getTime() / 1000 > until) throw new Undeliverable('验证码已过期');
      const { host, port, user, password, from } = (await settings.get('interface'))['mail'] ?? {};
      if (!host || !from) throw new Undeliverable('尚未设置邮件服务器，请在接口设置中填写');
      if (!z.email().safeParse(target).success) throw new Undeliverable('邮箱地址不正确');
      const address = await allowed(outgoing, host);
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        // The exact address that was checked, so that the name cannot resolve differently in between.
        host: address,
        port: Number(port || 25),
        // On other ports the connection is encrypted if the server offers it, and otherwise plain without a warning.
        secure: port === '465',
        requireTLS: port === '587',
        tls: { servername: isIP(host) ? '' : host },
        ...(user && { auth: { user, pass: password ? secretBox.open(password) : '' } }),
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const domain = from.match(/@([\w.-]+)/)?.[1] ?? 'localhost';
      try {
        const sent = await transport.sendMail({
          from,
          to: { name: '', address: target },
          subject: title,
          text: code === null ? text : text.replace(hiddenCode, code),
          ...(html && { html }),
          messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`,
          headers: { 'Idempotency-Key': key },
        });
        return { providerId: sent.messageId, answer: sent.response };
      } catch (error) {
        const { responseCode, message, code } = error as { responseCode?: number; message: string; code?: string };
        const refused = code === 'EENVELOPE' && (responseCode ?? 0) >= 500;
        if (refused) throw new Undeliverable(`对方拒收（${responseCode}）`);
        const said = troubles[code ?? '']?.(`${host}:${port || 25}`) ?? '邮件发送失败';
        throw new Error(`${said}（${message}）`, { cause: error });
      } finally {
        transport.close();
      }
    },
  };
}
