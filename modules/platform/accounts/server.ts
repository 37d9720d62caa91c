import { and, eq } from 'drizzle-orm';
import { Refusal, signedOut } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { rightsChanged } from '#modules/platform/access/service.ts';
import { socketPath } from '#modules/platform/messages/contract.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';
import { openWays, type Settings } from '#modules/platform/settings/service.ts';
import { prepareNewPassword, proveOwner, putPassword, putPhone, putProfile } from './profile/change.ts';
import { createChallenges } from './sign-in/challenge.ts';
import { accounts, challengeNeeded, closedWay, copyIsQuiet, noTexts, noVisits, wrongPassword } from './contract.ts';
import { countersFor, createTurnsToTry } from './sign-in/dearness.ts';
import type { Identity } from './sign-in/identity.ts';
import { forgetDevice } from './sign-in/known-devices.ts';
import { codeSeconds, createPhoneCodes, type Scene, type SendCode } from './sign-in/phone-code.ts';
import { draftOf, keepDraft } from './profile/drafts.ts';
import { keepPreference, preferencesOf } from './profile/preferences.ts';
import { removeView, sharedViewsOf, shareView } from './profile/views.ts';
import { personRow, profileOf } from './profile/profile.ts';
import { letIn, ssoSession } from './service.ts';
import { endSession, sessionsOf } from './sign-in/sessions.ts';
import { admit, enter, rememberRefused } from './sign-in/sign-in.ts';

export interface AccountServices {
  databases: Databases;
  attempts: Attempts;
  identity: Identity;
  settings: Settings;
  sendCode: SendCode;
  /** Returns whether codes can be sent by text message. */
  codesLeave(): Promise<boolean>;
  secret: string;
  /** The address that ends a single sign-on too; null if the provider cannot be asked or offers none. */
  leaveUrl(): Promise<string | null>;
}

export function accountsModule(services: AccountServices): ServerModule {
  const { databases, attempts, identity, settings, sendCode, codesLeave, secret, leaveUrl } = services;
  const challenges = createChallenges(secret, databases.write);
  const phoneCodes = createPhoneCodes(secret, attempts);
  const parts = { databases, attempts, settings, challenges, phoneCodes, turns: createTurnsToTry(), codesLeave };

  return implement('accounts', accounts, {
    login: staged(accounts.login, {
      before: ({ body }, caller) => admit(parts, body, caller),
      async run({ body, prepared }, { tx, origin, cookies }) {
        const user = await enter(tx, parts, body, prepared).catch(async (error: unknown) => {
          const title = 'phone' in body ? body.phone : body.username;
          await rememberRefused(parts, origin, { title }, error, { how: 'phone' in body ? '手机验证码' : '密码' });
          throw error;
        });
        return letIn(
          tx,
          { identity, login: prepared.login },
          user,
          { origin, cookies },
          'phone' in body ? 'phone' : 'password',
        );
      },
    }),

    challenge: ({ query: { work } }) => challenges.create(work),

    logout: staged(accounts.logout, {
      // The session ends first, because the provider may be slow.
      async before(_input, { user, read }) {
        if (!user) return null;
        const sso = await ssoSession(read, user);
        await databases.write((tx) => endSession(tx, user.id, user.sessionId)).catch(unlessRefused);
        return sso ? leaveUrl() : null;
      },
      run({ prepared }) {
        const url = prepared ?? '/login';
        return { url, data: { url } };
      },
    }),

    async updateCache(_input, { tx, user }) {
      await rightsChanged(tx, user.id);
      return { msg: '缓存已更新' };
    },

    smsCode: staged(accounts.smsCode, {
      async before({ params: { phone }, query: { scene, challenge } }, { user, origin, cookies, read }) {
        if (scene === 'change' && !user) throw signedOut();
        const login = await settings.get('login');
        if (scene === 'login' && !login.phone_login) throw closedWay('手机验证码');
        if (scene === 'bind' && !openWays(login, await settings.get('interface')).wechat) throw closedWay('微信');
        const outside = scene === 'order';
        if (outside && !(await settings.get('site')).visitor_orders) throw noVisits('本单位没有开放访客报修');
        const quiet = !outside && (await isQuiet(settings));
        if (quiet) throw copyIsQuiet('短信');
        if (!(await codesLeave())) throw outside ? noVisits('验证码暂时无法发出') : noTexts();
        const { device } = await countersFor(read, { phone }, { origin, cookies }, login);
        const own = scene === 'change' ? user?.id : undefined;
        const asker = { ip: origin.ip, device: outside ? null : device, user: own };
        const asked = outside || (await phoneCodes.needsChallenge(asker, scene));
        if (asked && !(await challenges.accept(challenge, 1))) throw challengeNeeded(1);
        await phoneCodes.count(phone, scene, asker);
        const reachable = scene === 'change' || outside || (await isSomebodys(read, phone, scene));
        await phoneCodes.countLeaving(reachable, scene);
        return reachable;
      },
      // Unknown numbers get the same reply after the same work, but no message.
      async run({ params: { phone }, query: { scene }, prepared: reachable }, { tx, user }) {
        const code = await phoneCodes.issue(tx, phone, scene, scene === 'change' ? user?.id : undefined);
        await sendCode(tx, { phone, code, scene, minutes: codeSeconds / 60, reachable });
        return { expire: codeSeconds };
      },
    }),

    me: (_input, { tx, user }) => profileOf(tx, user),

    async changeInfo({ body }, { tx, user, audit }) {
      const before = await profileOf(tx, user);
      await putProfile(tx, user, body, before.avatar?.id ?? null);
      const after = await profileOf(tx, user);
      audit({ type: '用户', id: user.id, title: user.alias, before: shownFields(before), after: shownFields(after) });
      return after;
    },

    changePassword: staged(accounts.changePassword, {
      before: ({ body }, { read, user }) => prepareNewPassword({ attempts, settings }, read, user, body),
      async run({ prepared: hashed }, { tx, user, audit }) {
        await putPassword(tx, user, hashed);
        audit({ type: '用户', id: user.id, title: `${user.alias} 修改密码` });
        return {};
      },
    }),

    changePhone: staged(accounts.changePhone, {
      async before({ body }, { read, user }) {
        await proveOwner({ attempts }, read, user, body.password, wrongPassword);
        await phoneCodes.guess(body.phone, 'change');
      },
      async run({ body: { phone, code } }, { tx, user, audit }) {
        const { user: before } = await personRow(tx, user.id);
        await phoneCodes.use(tx, phone, 'change', code, user.id);
        await putPhone(tx, user, phone);
        audit({
          type: '用户',
          id: user.id,
          title: user.alias,
          before: { 手机号: before.phone },
          after: { 手机号: phone },
        });
        return {};
      },
    }),

    async info(_input, { tx, user }) {
      return profileOf(tx, user);
    },

    sessions: (_input, { tx, user }) => sessionsOf(tx, user),

    async endSession({ params: { id } }, { tx, user, audit }) {
      await endSession(tx, user.id, id);
      if (id !== user.sessionId) await forgetDevice(tx, user.id, id);
      audit({ type: '登录', id, title: `${user.alias} 退出一台设备` });
      return { id };
    },

    async preferences({ query: { key } }, { tx, user }) {
      return { value: await preferencesOf(tx, user.id, key) };
    },

    async keepPreference({ body: { key, value } }, { tx, user }) {
      await keepPreference(tx, user.id, key, value);
      return {};
    },

    async draft({ query: { key } }, { tx, user }) {
      return { value: await draftOf(tx, user.id, key) };
    },

    async keepDraft({ body: { key, value } }, { tx, user }) {
      await keepDraft(tx, user.id, key, value);
      return {};
    },

    async sharedViews({ query: { list } }, { tx, user }) {
      return { value: await sharedViewsOf(tx, user, list) };
    },

    async shareView({ body }, { tx, user, audit }) {
      const { id, what } = await shareView(tx, user, body);
      audit({ type: what, id, title: body.name, after: { 列表: body.list, 角色: body.role_id } });
      return { id };
    },

    async removeView({ params }, { tx, user, audit }) {
      const { id, name, what } = await removeView(tx, user, params.id);
      audit({ type: what, id, title: name });
      return { id };
    },

    async urls() {
      const login = await settings.get('login');
      const interfaces = await settings.get('interface');
      const open = openWays(login, interfaces);
      return {
        login_url: '/login',
        logout_url: '/api/accounts/logout/',
        sso_url: open.sso ? '/api/oauth/login_url/' : '',
        wechat_url: open.wechat ? '/api/oauth/wechatlogin/web/' : '',
        wopi_url: interfaces['wopi']?.['url'] ?? '',
        file_url: '/api/file/',
        help_url: '',
        ws_url: socketPath,
      };
    },
  });
}

/** True if a code for a purpose has a recipient. */
async function isSomebodys(db: Db, phone: string, scene: Scene): Promise<boolean> {
  const [known] = await db
    .select({ id: userTable.id })
    .from(userTable)
    .where(
      and(
        eq(userTable.phone, phone),
        eq(userTable.is_deleted, false),
        scene === 'bind' ? eq(userTable.is_active, true) : undefined,
      ),
    );
  return known !== undefined;
}

/** A session that was already over counts as signed out. */
function unlessRefused(error: unknown) {
  if (!(error instanceof Refusal)) throw error;
}

type ProfileView = Awaited<ReturnType<typeof profileOf>>;
const shownFields = (profile: ProfileView) => ({
  邮箱: profile.email,
  性别: profile.gender,
  办公电话: profile.office_phone,
  办公室: profile.office_room,
  头像: profile.avatar?.id ?? null,
});
