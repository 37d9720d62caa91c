import type { PermissionCode } from '#kernel/contract/call.ts';
import { createAcknowledgedWrites } from '#kernel/server/live/acknowledged.ts';
import { createApp, type App } from '#kernel/server/http/app.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted, Ports, ServerModule } from '#kernel/server/http/implement.ts';
import { openTestApp, type TestOffice } from '../testing.ts';
import { ask } from './asking.ts';

type Ask = typeof ask extends (client: infer _C, ...asked: infer A) => infer R ? (...asked: A) => R : never;

/** A walk takes as long as there are calls; each of its requests has its own limit (`send`). */
export const unlimited = 0;

/** The product with every call that it answers, for tests that walk over all of them. */
export interface Walk {
  app: TestOffice;
  mounted: readonly Mounted[];
  /** Sends as the administrator, who is signed in once, and again if an earlier call ended the session. */
  asAdmin: Ask;
}

export async function openWalk(options: Parameters<typeof openTestApp>[0] = {}): Promise<Walk> {
  const app = await openTestApp(options);
  const mounted = app.services.product.servers().flatMap((module) => [...module.calls]);
  // A separate session, because a call may end it.
  let admin = app.signIn('admin');
  const asAdmin: Ask = async (...asked) => {
    for (let times = 0; ; times += 1) {
      const used = admin;
      const answer = await ask(await used, ...asked);
      if (answer.code !== codes.signedOut || times === 2) return answer;
      if (admin === used) admin = app.signIn('admin');
    }
  };
  return { app, mounted, asAdmin };
}

/** All grants that any page offers. */
export async function everyGrant({ db }: TestOffice): Promise<Record<string, PermissionCode[]>> {
  const { rows } = await db.$client.query<{ component: string; codes: PermissionCode[] }>(`
    select m.component, array_agg(b.code) codes from menu m join menu_button o on o.menu_id = m.id
      join button b on b.id = o.button_id where m.component <> '' group by 1`);
  return Object.fromEntries(rows.map((row) => [row.component, row.codes]));
}

/** These modules on the database of an app, mounted like its own, with viewers that the test defines. */
export function appOf(
  { services }: TestOffice,
  modules: readonly ServerModule[],
  identify: Ports['identify'] = services.identity.identify,
): App['server'] {
  const { databases, bus, log, secretBox } = services;
  return createApp({
    databases,
    services,
    bus,
    log,
    acknowledged: createAcknowledgedWrites(),
    replica: false,
    keyedHash: secretBox.keyedHash,
    now: () => new Date(),
    ports: {
      identify,
      identifySigned: async () => null,
      identifyByToken: async () => null,
      remember: async () => undefined,
      rememberRefusal: async () => undefined,
    },
    modules,
    trustedProxies: [],
    https: false,
  }).server;
}
