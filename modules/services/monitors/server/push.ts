import { and, eq } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import { staged, type Context, type Handler } from '#kernel/server/http/implement.ts';
import { requireProject } from '#modules/services/customers/service.ts';
import { codeRead, newCode } from '#modules/platform/verification/service.ts';
import { pushType } from '../contract/codes.ts';
import { monitorCalls as calls } from '../contract/monitors.ts';
import { notWatched } from '../contract/refusals.ts';
import { apply } from '../probing/apply.ts';
import { monitorTable as m } from '../tables.ts';

const page = 'customer/project';
const pushing: Limit = { kind: 'push', limit: 120, seconds: 60 };

type Pushes = Pick<typeof calls, 'pushAddress' | 'renewPush' | 'push' | 'pushBody'>;
export const pushHandlers: { [K in keyof Pushes]: Handler<Pushes[K]> } = {
  async pushAddress({ params: { id } }, { tx, user, services }) {
    const project = await requireProject(tx, user, id, { code: 'Update', pages: [page] });
    const [saved] = await tx.select({ sealed: m.push_sealed }).from(m).where(eq(m.project_id, id));
    if (!saved) throw notWatched(project.name);
    return { url: saved.sealed ? urlOf(services, services.secretBox.open(saved.sealed)) : '' };
  },

  async renewPush({ params: { id } }, { tx, user, services, audit }) {
    const project = await requireProject(tx, user, id, { code: 'Update', pages: [page], lock: 'update' });
    const token = newCode();
    const set = { push_mark: services.secretBox.keyedHash(token), push_sealed: services.secretBox.seal(token) };
    const done = await tx.update(m).set(set).where(eq(m.project_id, id)).returning({ id: m.project_id });
    if (done.length === 0) throw notWatched(project.name);
    audit({ type: '监测设置', id, title: project.name, after: { 推送地址: '已更换' } });
    return { url: urlOf(services, token) };
  },

  push: staged(calls.push, { before: limited, run: ({ params, query }, work) => beat(params.token, query, work) }),
  pushBody: staged(calls.pushBody, {
    before: limited,
    run: ({ params, body }, work) => beat(params.token, body, work),
  }),
};

const urlOf = ({ publicUrl }: Context['services'], token: string) => `${publicUrl() ?? ''}/api/test/push/${token}/`;

async function limited(
  _input: unknown,
  { origin, services: { attempts } }: Pick<Context, 'origin' | 'services'>,
): Promise<void> {
  const tries = await attempts.hit(pushing, origin.ip);
  if (tries.exceeded) throw tooMany('推送', tries.retryAfter);
}

/** Unknown addresses answer like known ones, so that nobody can find out which exist. */
async function beat(
  typed: string,
  {
    status = 'up',
    msg = '',
    ping = 0,
  }: { status?: 'up' | 'down' | undefined; msg?: string | undefined; ping?: number | undefined },
  { tx, services }: Pick<Context, 'tx' | 'services'>,
) {
  const token = codeRead(typed);
  const mark = token && services.secretBox.keyedHash(token);
  const [found] = mark
    ? await tx
        .select({ id: m.project_id })
        .from(m)
        .where(and(eq(m.push_mark, mark), eq(m.type, pushType), eq(m.enabled, true)))
    : [];
  if (found) {
    const result = status === 'up' ? 'ok' : 'certain';
    await apply(tx.$client, [
      {
        project_id: found.id,
        lease_no: null,
        result,
        ms: ping,
        http_code: null,
        msg: msg || '对方报告异常',
        certificate: null,
      },
    ]);
  }
  return {};
}
