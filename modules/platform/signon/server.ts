import type { Logger } from 'pino';
import { codes, Refusal, tooMany } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { implement, staged, type Origin, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { addressNotLet, wrongPassword } from '#modules/platform/accounts/contract.ts';
import {
  createPhoneCodes,
  endOthers,
  letInVouched,
  proveOwner,
  rememberTurnedAway,
  type Identity,
} from '#modules/platform/accounts/service.ts';
import { peopleByPhone } from '#modules/platform/people/service/outside.ts';
import { lets, openWays, type Settings } from '#modules/platform/settings/service.ts';
import { bind, boundSince, unbind } from './binding.ts';
import {
  clocksApart,
  givenUp,
  noAddress,
  noOneOfPhone,
  notBound,
  notOpen,
  notThisBrowser,
  notVouched,
  providerAway,
  signOn,
} from './contract.ts';
import { personOf } from './identities.ts';
import { askBy, Away, ClocksApart, NotVouched } from './providers/outside.ts';
import { createProviders } from './providers/providers.ts';
import { beginTrip, checkTrip, endTrip, ownPath } from './trips.ts';
import { boundTo, identityBehind, qrPage, wechatConnection } from './providers/wechat.ts';

export interface SignOnServices {
  databases: Databases;
  attempts: Attempts;
  settings: Settings;
  identity: Identity;
  secret: string;
  secretBox: SecretBox;
  outgoing: Outgoing;
  log: Logger;
  /** The public origin, without a trailing slash; null if not configured. */
  publicUrl(): string | null;
}

const starts: Limit = { kind: 'sign-on-from', limit: 300, seconds: 300 };
const strays: Limit = { kind: 'sign-on-strays', limit: 100, seconds: 300 };
const at = (call: { method: string; path: string }) => ({ method: call.method, path: call.path });

/** Signing in through another server: single sign-on and WeChat. */
export function signOnModule(services: SignOnServices): ServerModule {
  const { databases, attempts, settings, identity, secret, secretBox, outgoing, log } = services;
  const ask = askBy(outgoing);
  const providerOf = createProviders(ask, secretBox.open);
  const phoneCodes = createPhoneCodes(secret, attempts);

  const callbackOf = (way: string, query = '') => {
    const home = services.publicUrl();
    if (home === null) throw noAddress(way);
    return `${home}/auth-redirect${query}`;
  };
  const wechatCallback = () => callbackOf('微信登录', '?way=wechat');

  /** The settings for this sign-in. Refuses a way that is not open, and an address that may not sign in. */
  async function openDoor(way: 'sso' | 'wechat', origin: Origin) {
    const login = await settings.get('login');
    const interfaces = await settings.get('interface');
    if (!lets(login.ip_whitelist, origin.ip)) throw addressNotLet(origin.ip);
    if (!openWays(login, interfaces)[way]) throw notOpen(way === 'sso' ? '单点登录' : '微信登录');
    return { login, interfaces };
  }
  async function countStart(origin: Origin) {
    const tries = await attempts.hit(starts, addressOf(origin.ip));
    if (tries.exceeded) throw tooMany('登录', tries.retryAfter);
  }
  async function admitted(origin: Origin) {
    const tries = await attempts.look(strays, addressOf(origin.ip));
    if (tries.count >= strays.limit) throw tooMany('登录', tries.retryAfter);
  }
  /** Attempts of strangers are counted by address, and nothing else is stored. */
  async function counted<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
    await admitted(origin);
    return work().catch(async (error: unknown) => {
      if (error instanceof Refusal) await attempts.hit(strays, addressOf(origin.ip));
      throw error;
    });
  }
  /** A provider's reply, with its errors as sentences; the reasons are only logged. */
  async function heard<T>(way: string, asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof Away || error instanceof NotVouched)) throw error;
      log.warn({ way, reason: error.message }, 'sign-on not vouched for');
      if (error instanceof ClocksApart) throw clocksApart(way);
      throw error instanceof Away ? providerAway(way) : notVouched(way);
    }
  }
  /** Failed sign-ins are recorded in the operation log although their transaction is rolled back. */
  async function remembered<T>(
    call: { method: string; path: string },
    origin: Origin,
    who: string,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.code === codes.refused)
        await databases.beside((tx) =>
          rememberTurnedAway(tx, origin, who, error, { at: at(call), way: call === signOn.finish ? 'sso' : 'wechat' }),
        );
      throw error;
    }
  }

  return implement('signon', signOn, {
    start: staged(signOn.start, {
      async before({ query }, { origin, cookies }) {
        const { interfaces } = await openDoor('sso', origin);
        await countStart(origin);
        const callback = callbackOf('单点登录');
        const begun = { kind: 'sso' as const, wayBack: ownPath(query.redirect) };
        const trip = await databases.write((tx) => beginTrip(tx, cookies, begun));
        const { provider } = (await providerOf(interfaces))!;
        const url = await heard('单点登录', provider.address(trip, callback));
        return { url, state: trip.state };
      },
      run: ({ prepared }) => prepared,
    }),

    finish: staged(signOn.finish, {
      async before({ query }, { origin, cookies }) {
        const { login, interfaces } = await openDoor('sso', origin);
        const trip = await counted(origin, () => databases.write((tx) => endTrip(tx, cookies, 'sso', query.state)));
        return remembered(signOn.finish, origin, '单点登录', async () => {
          if (query.error) throw query.error === 'access_denied' ? givenUp('单点登录') : notVouched('单点登录');
          const { provider, match } = (await providerOf(interfaces))!;
          const vouched = await heard('单点登录', provider.vouch(query, trip, callbackOf('单点登录')));
          return { login, match, vouched, redirect: trip.wayBack };
        });
      },
      run: ({ prepared: { login, match, vouched, redirect } }, { tx, origin, cookies }) =>
        remembered(signOn.finish, origin, vouched.number, async () => {
          const userId = await personOf(tx, vouched, { match, letsIn: login.allow_register });
          const reply = await letInVouched(
            tx,
            { identity, login },
            userId,
            { origin, cookies },
            'sso',
            at(signOn.finish),
          );
          return { ...reply, redirect };
        }),
    }),

    wechat: staged(signOn.wechat, {
      async before({ query }, { origin, cookies }) {
        const { login, interfaces } = await openDoor('wechat', origin);
        const connection = wechatConnection(interfaces, secretBox.open);
        const callback = wechatCallback();
        if (query.code === undefined && query.state === undefined) {
          await countStart(origin);
          return { login, connection, callback, back: null };
        }
        const trip = await counted(origin, () => databases.write((tx) => endTrip(tx, cookies, 'wechat', query.state)));
        return remembered(signOn.wechat, origin, '微信登录', async () => {
          if (!query.code) throw givenUp('微信登录');
          const known = await heard('微信登录', identityBehind(connection, query.code, ask));
          return { login, connection, callback, back: { known, redirect: trip.wayBack } };
        });
      },
      async run({ query, prepared: { login, connection, callback, back } }, { tx, cookies, origin }) {
        if (!back) {
          const trip = await beginTrip(tx, cookies, { kind: 'wechat', wayBack: ownPath(query.redirect) });
          return { url: qrPage(connection, trip.state, callback), state: trip.state };
        }
        const userId = await boundTo(tx, back.known);
        if (userId === null) {
          const trip = { kind: 'bind' as const, wayBack: back.redirect, identity: back.known };
          return { need_bind: true as const, bind_token: (await beginTrip(tx, cookies, trip)).state };
        }
        return remembered(signOn.wechat, origin, '微信登录', async () => {
          const { jwt, ...person } = await letInVouched(
            tx,
            { identity, login },
            userId,
            { origin, cookies },
            'wechat',
            at(signOn.wechat),
          );
          return { userinfo: { ...person, access_token: jwt }, redirect: back.redirect };
        });
      },
    }),

    bindPhone: staged(signOn.bindPhone, {
      // Somebody who has not scanned must not use up the guesses for a phone.
      async before({ body }, { origin, cookies, read }) {
        const { login } = await openDoor('wechat', origin);
        await counted(origin, async () => {
          await checkTrip(read, cookies, 'bind', body.bind_token);
          await phoneCodes.guess(body.phone, 'bind');
        });
        return login;
      },
      // A wrong code rolls back, so that the trip may be tried again for five minutes or five guesses.
      run: ({ body, prepared: login }, { tx, cookies, origin }) =>
        counted(origin, async () => {
          const trip = await endTrip(tx, cookies, 'bind', body.bind_token);
          return remembered(signOn.bindPhone, origin, '微信绑定', async () => {
            if (!trip.identity) throw notThisBrowser();
            await phoneCodes.use(tx, body.phone, 'bind', body.code);
            const people = await peopleByPhone(tx, body.phone);
            if (people.length !== 1) throw noOneOfPhone(body.phone);
            await bind(tx, people[0]!, trip.identity);
            const door = { identity, login };
            const reply = await letInVouched(tx, door, people[0]!, { origin, cookies }, 'wechat', at(signOn.bindPhone));
            return { ...reply, redirect: trip.wayBack };
          });
        }),
    }),

    async bound(_input, { tx, user }) {
      const since = await boundSince(tx, user.id);
      const open = openWays(await settings.get('login'), await settings.get('interface')).wechat;
      return { open, bound: since !== null, gmt_created: since };
    },

    unbind: staged(signOn.unbind, {
      before: ({ body }, { read, user }) => proveOwner({ attempts }, read, user, body.password, wrongPassword),
      async run(_input, { tx, user, audit }) {
        if (!(await unbind(tx, user.id))) throw notBound();
        await endOthers(tx, user.id, user.sessionId, 'wechat');
        audit({ type: '用户', id: user.id, title: `${user.alias} 解除微信绑定` });
        return {};
      },
    }),
  });
}
