import type { Calls, EntryStep } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { sendLeftBehind, sendWaiting } from '#kernel/web/putOff.ts';
import { keepToken } from '#kernel/web/token.ts';
import { fleetingPreferences } from '#kernel/web/kit/preferences.tsx';
import type { Preferences, SharedViews } from '#kernel/web/kit/preferences.tsx';
import { access } from '#modules/platform/access/contract.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import type { Profile } from '#modules/platform/accounts/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { claimBrowser, forgetUser, shellSettings } from '../stored.ts';
import { menuOf } from './menu.ts';
import type { Menu } from './menu.ts';
import { sharedViewsFor } from './shared-views.ts';

export interface Session {
  me: Profile;
  menu: Menu;
  site: { name: string; logo?: string; quiet_since?: string };
  preferences: Preferences;
  views: SharedViews;
}

const pauses = [1000, 2000, 4000];

/**
 * Sets up the session. A call without an answer is repeated for some seconds: a page that is being left sees its calls cut off, and must not sign its
 * person out; nor must a server that is restarting.
 */
export async function openSession(tries = pauses): Promise<Session> {
  try {
    return await readSession();
  } catch (error) {
    const [pause, ...later] = tries;
    if (!(error instanceof CallFailed) || error.kind !== 'network' || pause === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return openSession(later);
  }
}

/** Everything the frame needs before its routes can be set up. Menu and profile are required; the rest has a fallback. */
async function readSession(): Promise<Session> {
  const quiet = { quiet: true };
  const [items, me, site, kept] = await Promise.all([
    send(access.webRouter, { query: { is_mobile: '0' } }, quiet),
    send(accounts.me, {}, quiet),
    send(settings.site, {}, quiet).catch(() => null),
    send(accounts.preferences, {}, quiet).catch(() => ({ value: {} })),
  ]);
  if (!Array.isArray(items)) throw new Error('Has Error');
  claimBrowser(me.username);
  if (!me.seeing) sendLeftBehind();
  const looks = shellSettings.get();
  const { name, theme: siteTheme } = site?.value ?? { name: looks.title, theme: looks.siteTheme };
  // A new colour of the site replaces the previous one once; a colour that the person chose stays.
  const theme = siteTheme === looks.siteTheme ? looks.theme : siteTheme;
  shellSettings.set({ ...looks, title: name, siteTheme, theme });
  return {
    me,
    menu: menuOf(
      items,
      me.roles.map((role) => role.code),
      shellSettings.get().routesRole,
    ),
    site: { name, logo: site?.value.logo[0]?.url, quiet_since: site?.value.quiet_since },
    preferences: fleetingPreferences(kept.value, me.seeing ? () => undefined : keepOnServer()),
    views: sharedViewsFor(me),
  };
}

/** Sends a preference half a second after its last change, so that dragging a column is one call. */
function keepOnServer() {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  return (key: string, value: unknown) => {
    clearTimeout(waiting.get(key));
    const keep = () => {
      waiting.delete(key);
      void send<Calls[string]>(accounts.keepPreference, { body: { key, value: value ?? null } }, { quiet: true }).catch(
        () => undefined,
      );
    };
    waiting.set(key, setTimeout(keep, 500));
  };
}

/** The step that the person must complete first, from the refusal; null for any other failure. */
export function stepAskedFor(error: unknown): EntryStep | null {
  const said = (error instanceof CallFailed && error.data) as { new_password?: unknown; second_step?: unknown } | null;
  if (said?.new_password === true) return 'password';
  return said?.second_step === true ? 'second' : null;
}

/** Route set-up failed: deletes the token, and the sign-in page shows the reason. */
export function abandonSession(error: unknown): void {
  keepToken(null);
  forgetUser();
  sessionStorage.setItem('signInNotice', (error instanceof Error && error.message) || 'Has Error');
  location.replace(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Ends the session on the server, even an expired one, and goes where the server says. Our own sign-in page gets the return address `back`, if given. */
export async function leaveSession(back = ''): Promise<void> {
  let to = '/login';
  await sendWaiting();
  try {
    to = (await send(accounts.logout, {}, { quiet: true })).url || to;
  } catch {
    // Signing out must also work without the server.
  }
  keepToken(null);
  forgetUser();
  const there = /^(https?:\/\/|\/(?![/\\]))/.test(to) ? to : '/login';
  location.assign(back && there === '/login' ? `/login?redirect=${encodeURIComponent(back)}` : there);
}
