import { eq } from 'drizzle-orm';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { implement, staged, type Context, type ServerModule } from '#kernel/server/http/implement.ts';
import { signInFields } from '#modules/platform/audit/contract/sign-ins.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { announce } from '#modules/platform/messages/service.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import {
  enrolledAlready,
  notEnrolled,
  nothingOwed,
  passwordAsked,
  secondCalls,
  secondNeeded,
} from '../contract/second.ts';
import { wrongPassword } from '../contract.ts';
import { proveOwner } from '../profile/change.ts';
import { ownPasswordFirst } from '../profile/profile.ts';
import { countersFor } from '../sign-in/dearness.ts';
import { rememberRefused } from '../sign-in/sign-in.ts';
import { completeSession, endOthers } from '../sign-in/sessions.ts';
import { sessionTable } from '../tables.ts';
import {
  appOf,
  confirmedFactor,
  confirmFactor,
  forgetFactor,
  isRecoveryCode,
  keepPending,
  makeRecoveryCodes,
  newSecret,
  recoveryCodesLeft,
  useCode,
  useRecoveryCode,
} from './factor.ts';
import { isRequired } from './owed.ts';
import { selfCheck } from './self-check.ts';

interface SecondServices {
  databases: Databases;
  attempts: Attempts;
  settings: Settings;
  publicUrl(): string | null;
}

/** Three of a million codes are valid at a time: the limits make guessing hopeless. */
const soon: Limit = { kind: 'second-step', limit: 5, seconds: 300 };
const daily: Limit = { kind: 'second-step-day', limit: 30, seconds: 86_400 };
/** Nobody can guess recovery codes; somebody without their phone must not be kept out by a person who guesses app codes. */
const recovering: Limit = { kind: 'second-step-recovery', limit: 20, seconds: 300 };

type Asking = Pick<Context, 'user' | 'origin' | 'cookies'> & { read: Db };

export function secondModule({ databases, attempts, settings, publicUrl }: SecondServices): ServerModule {
  /**
   * Counted before it is checked, separately for devices that the account knows: strangers keep nobody out. Returns a function that undoes the count
   * after a correct code.
   */
  async function count({ user, origin, cookies, read }: Asking & { user: Viewer }, code: string) {
    const login = await settings.get('login');
    const { device } = await countersFor(read, { username: user.username }, { origin, cookies }, login);
    const subject = device === null ? String(user.id) : `${user.id}:${device}`;
    const limits = isRecoveryCode(code) ? [recovering] : [soon, daily];
    for (const limit of limits) {
      const tries = await attempts.hit(limit, subject);
      if (tries.exceeded) throw tooMany('验证', tries.retryAfter);
    }
    return async () => {
      for (const { kind } of limits)
        await (kind === daily.kind ? attempts.giveBack(kind, subject) : attempts.forget(kind, subject));
    };
  }

  return implement('accounts', secondCalls, {
    async second(_input, { tx, user }) {
      const [enrolled, required, left] = [
        await confirmedFactor(tx, user.id),
        await isRequired(tx, user.id, await settings.get('login')),
        await recoveryCodesLeft(tx, user.id),
      ];
      return { owed: user.secondStep ?? null, enrolled: enrolled !== null, required, left };
    },

    beginSecond: staged(secondCalls.beginSecond, {
      // Somebody who has just signed in without an app has nothing to prove it with yet.
      async before({ body }, { read, user }) {
        if (user.secondStep || !(await hasOwnPassword(read, user))) return;
        if (!body.password) throw passwordAsked();
        await proveOwner({ attempts }, read, user, body.password, wrongPassword);
      },
      async run(_input, { tx, user, services: { secretBox } }) {
        if (await confirmedFactor(tx, user.id)) throw enrolledAlready();
        const secret = newSecret();
        await keepPending(tx, user.id, secretBox.seal(secret));
        const site = await settings.get('site');
        const uri = appOf(secret, site.name, user.username).toString();
        return { secret, qr: await qrAddress(uri, { margin: 1, width: 220 }) };
      },
    }),

    confirmSecond: staged(secondCalls.confirmSecond, {
      before: ({ body }, context) => count(context, body.code),
      async run({ body, prepared: fits }, { tx, user, cookies, now, audit, services: { secretBox } }) {
        if (await confirmedFactor(tx, user.id)) throw enrolledAlready();
        await useCode(tx, secretBox, user.id, body.code, now);
        if (!(await confirmFactor(tx, user.id))) throw notEnrolled();
        await fits();
        await endOthers(tx, user.id, user.sessionId);
        if (user.secondStep) await completeSession(tx, user, { cookies }, await settings.get('login'));
        await told(tx, user, '二次验证已开启');
        audit({ type: '用户', id: user.id, title: `${user.alias} 开启二次验证` });
        return { codes: await makeRecoveryCodes(tx, secretBox, user.id) };
      },
    }),

    proveSecond: staged(secondCalls.proveSecond, {
      before: ({ body }, context) => {
        if (context.user.secondStep !== 'code') throw context.user.secondStep ? notEnrolled() : nothingOwed();
        return count(context, body.code);
      },
      async run(
        { body: { code }, prepared: fits },
        { tx, user, origin, cookies, now, audit, services: { secretBox } },
      ) {
        const recovery = isRecoveryCode(code);
        const how = recovery ? '恢复码' : '动态码';
        const use = recovery
          ? useRecoveryCode(tx, secretBox, user.id, code)
          : useCode(tx, secretBox, user.id, code, now);
        await use.catch(async (error: unknown) => {
          const { method, path } = secondCalls.proveSecond;
          const who = { title: `${user.alias}（${user.username}）`, user };
          const entry = { what: '二次验证', at: { method, path }, how } as const;
          await rememberRefused({ databases }, origin, who, error, entry);
          throw error;
        });
        await fits();
        await completeSession(tx, user, { cookies }, await settings.get('login'));
        if (recovery) await told(tx, user, '一个恢复码已用于登录');
        audit({
          type: '登录',
          id: user.id,
          title: `${user.alias}（${user.username}）${how}`,
          after: { [signInFields.how]: how },
        });
        return {};
      },
    }),

    renewCodes: staged(secondCalls.renewCodes, {
      before: ({ body }, context) => count(context, body.code),
      async run({ body, prepared: fits }, { tx, user, now, audit, services: { secretBox } }) {
        if (!(await confirmedFactor(tx, user.id))) throw notEnrolled();
        await useCode(tx, secretBox, user.id, body.code, now);
        await fits();
        audit({ type: '用户', id: user.id, title: `${user.alias} 重新生成恢复码` });
        return { codes: await makeRecoveryCodes(tx, secretBox, user.id) };
      },
    }),

    endSecond: staged(secondCalls.endSecond, {
      before: ({ body }, context) => count(context, body.code),
      async run({ body, prepared: fits }, { tx, user, now, audit, services: { secretBox } }) {
        if (!(await confirmedFactor(tx, user.id))) throw notEnrolled();
        if (await isRequired(tx, user.id, await settings.get('login'))) throw secondNeeded();
        await useCode(tx, secretBox, user.id, body.code, now);
        await fits();
        await forgetFactor(tx, user.id);
        await told(tx, user, '二次验证已关闭');
        audit({ type: '用户', id: user.id, title: `${user.alias} 关闭二次验证` });
        return {};
      },
    }),

    protection: async (_input, { tx }) =>
      selfCheck(tx, await settings.get('login'), await settings.get('site'), publicUrl()),
  });
}

const told = (tx: Db, user: Viewer, what: string) =>
  announce(
    tx,
    accountNews.SECOND_STEP,
    { id: user.id },
    {
      title: what,
      content: '如非本人操作，请立即修改密码并联系管理员。',
      module: 'accounts',
      // Sent however soon after another.
      again: 'always',
      by: null,
    },
    [user.id],
  );

/** Somebody who signs in through another server has no password here. */
export async function hasOwnPassword(read: Db, user: Viewer): Promise<boolean> {
  const [session] = await read
    .select({ way: sessionTable.way })
    .from(sessionTable)
    .where(eq(sessionTable.id, user.sessionId));
  return session !== undefined && ownPasswordFirst(session.way);
}
