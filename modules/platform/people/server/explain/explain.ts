import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Scope, type Viewer } from '#kernel/server/access/viewer.ts';
import { dataScope } from '#modules/platform/access/contract/roles.ts';
import { allRoles, menusFor, openRoleBook, type RoleName } from '#modules/platform/access/service.ts';
import { deptNames, deptsAround } from '../../service.ts';
import { personWithRights, viewerOf, type Person } from '../../service/rights.ts';

/** A question to be explained: `asks` is the function that decides it for a given viewer. */
export interface Question {
  /** Its name in a sentence: 看到“合同台账”页面. */
  what: string;
  asks(viewer: Viewer): Promise<boolean>;
  /** The rows a button reaches for somebody; missing if it concerns a single thing. */
  reach?(viewer: Viewer): Scope;
  /** The reason for people without any role. */
  byThemselves: string;
  /** True if other roles that give it are worth naming. */
  given: boolean;
  /** For a record: its state, and what somebody may do with it now, in words. */
  now?(viewer: Viewer): Promise<string[]>;
}

export function aboutPage(tx: Db, page: { id: number; name: string }): Question {
  return {
    what: `看到“${page.name}”页面`,
    async asks(viewer) {
      const seen = await menusFor(tx, viewer);
      return seen === 'all' || seen.has(page.id);
    },
    byThemselves: '',
    given: true,
  };
}

export function aboutButton(page: { name: string; component: string }, button: { name: string; code: PermissionCode }) {
  return {
    what: `使用“${page.name} - ${button.name}”`,
    asks: async (viewer: Viewer) => holds(viewer, button.code, page.component),
    reach: (viewer: Viewer) => scopeOf(viewer, button.code, page.component),
    byThemselves: '',
    given: true,
  } satisfies Question;
}

/** Null if the asker does not see the record: nothing is explained about invisible records. */
export async function aboutRecord(tx: Db, asker: Viewer, kind: string, id: number): Promise<Question | null> {
  const { linked } = tx.services.product;
  const module = Object.hasOwn(linked, kind) ? linked[kind]! : null;
  const card = (await module?.seen(tx, asker, [id]))?.get(id);
  if (!module || !card) return null;
  return {
    what: `看到${module.name}“${card.title}”`,
    asks: async (viewer) => (await module.seen(tx, viewer, [id])).has(id),
    byThemselves: '与本人有关：由其发起、办理、被抄送，或在记录写明的人员或部门范围内，不需要角色',
    given: false,
    async now(viewer) {
      // The handling is explained only to people who see it themselves.
      if (!(await module.standing?.(tx, asker, id))) return [];
      const standing = await module.standing?.(tx, viewer, id);
      return standing ? saidOf(standing) : ['只能查看内容，看不到办理过程，也没有可以办理的操作'];
    },
  };
}

/** A state's possible actions for somebody, and the people who have the others. */
function saidOf({ state, step, waits, may }: Record<'state' | 'step' | 'waits', string> & { may: string[] }): string[] {
  const where = waits ? `状态“${state}”，环节“${step}”，等待${waits}办理` : `状态“${state}”，没有等待办理的人`;
  if (may.length > 0) return [where, `此刻可以：${may.join('、')}`];
  return [where, waits ? `此刻不能办理：这一环节只由${waits}办理` : `此刻不能办理：“${state}”状态下没有可以办理的操作`];
}

const most = 5;

export async function explained(tx: Db, userId: number, question: Question) {
  const person = await personWithRights(tx, userId);
  if (!person) throw absent('用户');
  const { alias } = person;
  if (!person.active) return { allowed: false, says: `不能：“${alias}”的账号已停用，不能登录`, reasons: [], now: [] };
  const roles = await allRoles(tx);
  const withOnly = await viewersOf(tx, person, roles);
  const allowed = await question.asks(viewerOf(person, 0));
  const held = roles.filter((role) => person.rights.ids.includes(role.id));
  if (!allowed) {
    const others = question.given ? await thoseWho(roles, (role) => question.asks(withOnly([role]))) : [];
    const hint = others.length > 0 ? `有这项权限的角色：${named(others)}` : '没有角色有这项权限';
    const mine = `持有的角色${named(held)}都没有`;
    return question.given
      ? { allowed, says: `不能${question.what}：“${alias}”${mine}这项权限`, reasons: [hint], now: [] }
      : {
          allowed,
          says: `不能${question.what}：不在“${alias}”任何角色的数据范围内，也与其无关`,
          reasons: [`持有的角色：${named(held)}`],
          now: [],
        };
  }
  const bare = withOnly([]);
  const reasons = (await question.asks(bare)) ? [question.byThemselves] : [];
  // If people see it without any role, no role is the reason.
  if (reasons.length === 0)
    for (const role of await thoseWho(held, (one) => question.asks(withOnly([one]))))
      reasons.push(await byRole(tx, role, question.reach?.(withOnly([role]))));
  if (reasons.length === 0 && person.rights.superAdmin) reasons.push('用户类型是超级管理员，拥有全部权限');
  if (reasons.length === 0) reasons.push(`由${named(held)}合并取得`);
  const now = (await question.now?.(viewerOf(person, 0))) ?? [];
  return { allowed, says: `“${alias}”可以${question.what}`, reasons, now };
}

/** The person as they would be with just these roles. */
async function viewersOf(tx: Db, person: Person, roles: readonly RoleName[]) {
  const { depts } = person;
  const book = await openRoleBook(
    tx,
    roles.map((role) => role.id),
  );
  const { below } = await deptsAround(tx, depts);
  return (only: readonly RoleName[]): Viewer => {
    const rights = book.rightsOf(
      only.map((role) => role.id),
      { depts, deptsBelow: below },
    );
    return viewerOf({ ...person, rights }, 0);
  };
}

async function thoseWho(roles: readonly RoleName[], asks: (role: RoleName) => Promise<boolean>): Promise<RoleName[]> {
  const found = [];
  for (const role of roles) if (await asks(role)) found.push(role);
  return found;
}

async function byRole(tx: Db, role: RoleName, scope: Scope | undefined): Promise<string> {
  const ids = scope && !scope.all ? [...scope.depts] : [];
  const names = await deptNames(tx, ids.slice(0, most));
  const where = names.length > 0 ? `（${names.join('、')}${ids.length > most ? `等 ${ids.length} 个部门` : ''}）` : '';
  return `角色“${role.name}”授予，数据范围：${dataScope.label(role.data_scope)}${where}`;
}

const named = (roles: readonly RoleName[]) =>
  roles.length === 0
    ? '（无）'
    : roles
        .slice(0, most)
        .map((role) => `“${role.name}”`)
        .join('、') + (roles.length > most ? `等 ${roles.length} 个` : '');
