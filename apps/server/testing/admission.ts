import type { FastifyInstance } from 'fastify';
import { forbidden, notOverAll } from '#kernel/contract/refusal.ts';
import type { Call, PermissionCode } from '#kernel/contract/call.ts';
import type { Mounted, Ports } from '#kernel/server/http/implement.ts';
import type { Scope, Viewer } from '#kernel/server/access/viewer.ts';
import { bodyFor, each, named, nowhere } from './asking.ts';
import { safeJson } from './probe.ts';

/** A code on a page, as written in the sheet of roles. */
export const grantOf = (page: string, code: string) => `${page}:${code}`;

const everywhere: Scope = { all: true, depts: new Set() };
const oneDept: Scope = { all: false, depts: new Set([1]) };
function grantsOf(pairs: readonly string[], scope: Scope): Viewer['grants'] {
  const pages = Object.groupBy(pairs, (pair) => pair.split(':')[0]!) as Record<string, string[]>;
  return new Map(
    Object.entries(pages).map(([page, held]) => [
      page,
      new Map(held.map((pair) => [pair.split(':')[1] as PermissionCode, scope])),
    ]),
  );
}

/** Viewers that a token names: with exactly the listed grants, in a single department (after a `~`), or (after a `-`) with all grants but these. */
export function viewersOf(userId: number, all: readonly string[]): Ports['identify'] {
  return async (token) => {
    const mark = /^[-~]/.exec(token)?.[0];
    const listed = new Set(token.slice(mark ? 1 : 0).split(','));
    return {
      id: userId,
      username: 'somebody',
      alias: '某人',
      depts: [],
      places: [],
      sessionId: 1,
      superAdmin: false,
      mustChangePassword: false,
      roleIds: [],
      roleCodes: new Set(),
      grants: grantsOf(
        all.filter((pair) => listed.has(pair) !== (mark === '-')),
        mark === '~' ? oneDept : everywhere,
      ),
    };
  };
}

const asked = (call: Call) => (call.access.kind === 'grant' ? call.access : null);
/** Every code on every page that some call requires. */
export const grantsAsked = (calls: readonly Mounted[]): string[] => [
  ...new Set(calls.flatMap(({ call }) => asked(call)?.pages.map((page) => grantOf(page, asked(call)!.code)) ?? [])),
];

/**
 * Calls that admit a person with everything but the required grant, or with the grant for one department where the data belongs to the whole
 * institution, or that refuse a person with only that grant on one of the pages. The rights of a role follow from this and from its grants.
 */
export async function wrongAdmissions(server: FastifyInstance, calls: readonly Mounted[]): Promise<string[]> {
  const wrong: string[] = [];
  await each(calls, async (one) => {
    const { call } = one;
    const access = asked(call);
    if (!access) return;
    const isKept = async (token: string) => {
      // Invalid on purpose: the grant is checked first, and nothing is done.
      const payload = bodyFor(call, call.body ? null : {});
      const answer = await server.inject({
        method: call.method,
        url: `${nowhere(call, 0)}${call.query ? '?per_page=x&page=x' : ''}`,
        headers: { authorization: `JWT ${token}`, ...(payload && { 'content-type': 'application/json' }) },
        ...(payload && { payload }),
      });
      const { code, msg } = safeJson(answer.body);
      return [forbidden, notOverAll].some((kind) => {
        const refused = kind(call.summary);
        return code === refused.code && msg === refused.message;
      });
    };
    const own = access.pages.map((page) => grantOf(page, access.code));
    for (const pair of own) if (await isKept(pair)) wrong.push(`${pair} is kept from ${named(one)}`);
    if ((await isKept(`~${own.join()}`)) !== (access.whole === true))
      wrong.push(`${own.join()} of one department is ${access.whole ? 'let through to' : 'kept from'} ${named(one)}`);
    if (!(await isKept(`-${own.join()}`))) wrong.push(`all but ${own.join()} gets through to ${named(one)}`);
  });
  return wrong;
}
