import { codes } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { maskTarget, sendsMail } from '#modules/platform/deliveries/service.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { notifyOfMail } from '#modules/platform/messages/service/account-news.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';
import { lets, type LoginValue, type Settings } from '#modules/platform/settings/service.ts';
import { addressNotLet, challengeNeeded, copyIsQuiet, wrongCode, wrongPassword } from '../contract.ts';
import { forgotten, noForgotten, noMail } from '../contract/forgotten.ts';
import { hashAllowed, proveOwner, putPassword } from '../profile/change.ts';
import { personRow } from '../profile/profile.ts';
import { createChallenges } from '../sign-in/challenge.ts';
import { countersFor, createTurnsToTry, forgetFailures, type Claimed } from '../sign-in/dearness.ts';
import { codeSeconds, createPhoneCodes, type SendCode } from '../sign-in/phone-code.ts';
import { rememberSignIn, tryCode, tryCounted, type Remembered } from '../sign-in/sign-in.ts';
import { mailCode } from './code-mail.ts';
import { holderOf, putConfirmedMail } from './holder.ts';

export interface ForgottenServices {
  databases: Databases;
  attempts: Attempts;
  settings: Settings;
  sendCode: SendCode;
  codesLeave(): Promise<boolean>;
  secret: string;
}

const claimOf = (target: string): Claimed => (target.includes('@') ? { mail: target } : { phone: target });
const rememberedOf = (target: string): Remembered => ({
  what: '找回密码',
  at: { method: forgotten.reset.method, path: forgotten.reset.path },
  how: target.includes('@') ? '邮箱验证码' : '手机验证码',
});

export function forgottenModule({
  databases,
  attempts,
  settings,
  sendCode,
  codesLeave,
  secret,
}: ForgottenServices): ServerModule {
  const challenges = createChallenges(secret, databases.write);
  const phoneCodes = createPhoneCodes(secret, attempts);
  const parts = { databases, attempts, challenges, phoneCodes, turns: createTurnsToTry() };

  /** Refuses if passwords cannot be reset this way: equally for everybody. */
  async function openTo(target: string, ip: string): Promise<LoginValue> {
    const login = await settings.get('login');
    if (!lets(login.ip_whitelist, ip)) throw addressNotLet(ip);
    const byMail = target.includes('@');
    if (await isQuiet(settings)) throw copyIsQuiet(byMail ? '邮件' : '短信');
    const leaves = byMail ? await sendsMail(settings) : await codesLeave();
    if (!login.forgot_password || !leaves) throw noForgotten(byMail ? '邮箱' : '手机号');
    return login;
  }

  return implement('accounts', forgotten, {
    code: staged(forgotten.code, {
      async before({ body: { target, challenge } }, { origin, cookies, read }) {
        const login = await openTo(target, origin.ip);
        if (!(await challenges.accept(challenge, 1))) throw challengeNeeded(1);
        const { device } = await countersFor(read, claimOf(target), { origin, cookies }, login);
        await phoneCodes.count(target, 'forgot', { ip: origin.ip, device });
        const reachable = (await holderOf(read, claimOf(target), login)) !== null;
        await phoneCodes.countLeaving(reachable, 'forgot');
        return reachable;
      },
      // For an unknown target the same is done, but nothing is sent.
      async run({ body: { target }, prepared: reachable }, { tx, audit, services }) {
        const code = await phoneCodes.issue(tx, target, 'forgot');
        const scene = 'forgot';
        if (target.includes('@')) await mailCode(tx, { to: target, code, scene, reachable }, services);
        else await sendCode(tx, { phone: target, code, scene, minutes: codeSeconds / 60, reachable });
        audit({ type: '找回密码', id: null, title: maskTarget('mail', target) });
        return { expire: codeSeconds };
      },
    }),

    reset: staged(forgotten.reset, {
      async before({ body: { target, code, new_password, challenge } }, caller) {
        const { origin, read } = caller;
        const login = await openTo(target, origin.ip);
        const counters = await countersFor(databases.fresh, claimOf(target), caller, login);
        await tryCounted(parts, counters, challenge, () =>
          tryCode(parts, { to: target, scene: 'forgot', code }, origin, counters, rememberedOf(target)),
        );
        await phoneCodes.takeBack(target, 'forgot', counters.device);
        const holder = await holderOf(databases.fresh, claimOf(target), login);
        if (!holder) throw wrongCode();
        const hash = await hashAllowed({ settings }, read, holder.id, new_password);
        const [own] = (await countersFor(databases.fresh, holder, caller, login)).counters;
        await forgetFailures(attempts, { counters: [own!], device: null });
        return { hash, kept: holder.password, login };
      },
      async run({ body: { target, code }, prepared: { hash, kept, login } }, { tx, origin }) {
        const holder = await holderOf(tx, claimOf(target), login, true);
        await phoneCodes.use(tx, target, 'forgot', code);
        if (!holder || holder.password !== kept) throw wrongCode();
        await putPassword(tx, { id: holder.id, sessionId: 0 }, hash);
        const way = target.includes('@') ? '邮箱' : '手机号';
        await announce(
          tx,
          accountNews.PWD_RESET,
          holder,
          {
            title: '您的登录密码已找回并修改',
            content: `通过${way} ${maskTarget(way === '邮箱' ? 'mail' : 'sms', target)} 的验证码修改，网络地址 ${origin.ip}，之前的登录已全部退出。如非本人操作，请立即联系管理员。`,
            module: 'accounts',
            again: 'always',
            by: null,
          },
          [holder.id],
        );
        await rememberSignIn(
          tx,
          origin,
          holder,
          codes.ok,
          `${holder.alias}（${holder.username}）`,
          rememberedOf(target),
        );
        return { id: holder.id };
      },
    }),

    mailCode: staged(forgotten.mailCode, {
      async before({ body: { email, challenge } }, { origin, user }) {
        if (await isQuiet(settings)) throw copyIsQuiet('邮件');
        if (!(await sendsMail(settings))) throw noMail();
        const asker = { ip: origin.ip, user: user.id };
        if ((await phoneCodes.needsChallenge(asker, 'mail')) && !(await challenges.accept(challenge, 1)))
          throw challengeNeeded(1);
        await phoneCodes.count(email, 'mail', asker);
        await phoneCodes.countLeaving(true, 'mail');
      },
      async run({ body: { email } }, { tx, user, services }) {
        const code = await phoneCodes.issue(tx, email, 'mail', user.id);
        await mailCode(tx, { to: email, code, scene: 'mail', reachable: true }, services);
        return { expire: codeSeconds };
      },
    }),

    confirmMail: staged(forgotten.confirmMail, {
      async before({ body }, { read, user }) {
        await proveOwner({ attempts }, read, user, body.password, wrongPassword);
        await phoneCodes.guess(body.email, 'mail');
      },
      async run({ body: { email, code } }, { tx, user, audit }) {
        const { user: before } = await personRow(tx, user.id);
        await phoneCodes.use(tx, email, 'mail', code, user.id);
        await putConfirmedMail(tx, user.id, email);
        await notifyOfMail(tx, user.id, maskTarget('mail', email));
        audit({
          type: '用户',
          id: user.id,
          title: user.alias,
          before: { 邮箱: before.email },
          after: { 邮箱: email, 邮箱已验证: true },
        });
        return {};
      },
    }),
  });
}
