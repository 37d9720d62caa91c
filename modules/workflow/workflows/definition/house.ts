import type { Db } from '#kernel/server/db/db.ts';
import { rolesByCode } from '#modules/platform/access/service.ts';
import {
  countPeople,
  deptsBelow,
  deptsWithout,
  headsOf,
  holdersOf,
  partsOf,
  postSizes,
  workingAmong,
  type DeptPart,
} from '#modules/platform/people/service.ts';
import { participantType, type ParticipantVariable } from '../engine/codes.ts';
import { leavesOf } from '../engine/condition.ts';
import { calledBy, type Definition, type State } from '../engine/definition.ts';
import { administratorsOf, groupSizes, noticeWays, type NoticeWay } from '../service.ts';

/** The parts of the applicant's department that a variable asks. */
export const partsFor: Partial<Record<ParticipantVariable, DeptPart[]>> = {
  creator_head: ['approver', 'leader'],
  dept_fzr: ['leader'],
  dept_ld: ['dept_ld'],
};

/** The organisation as far as a definition needs it, read in a number of statements that does not grow with its states. */
export interface House {
  users: ReadonlySet<number>;
  depts: ReadonlySet<number>;
  roles: ReadonlySet<string>;
  /** User groups and posts, with the number of their current people. */
  groups: ReadonlyMap<number, number>;
  posts: ReadonlyMap<string, number>;
  /** State id → the present number of people in its departments and roles. */
  people: ReadonlyMap<number, number>;
  ways: readonly NoticeWay[];
  /** True if a variable finds anybody; also if that depends on the ticket and is not known. */
  anybody(variable: ParticipantVariable): Promise<boolean>;
  /** True if one of some departments has anybody to approve. */
  heads(depts: readonly number[]): Promise<boolean>;
  /** Departments that start tickets and have nobody for a variable. */
  vacant(variable: ParticipantVariable): Promise<readonly string[]>;
  administered(): Promise<boolean>;
}

export async function houseFor(tx: Db, workflowId: number, definition: Definition): Promise<House> {
  const { states, transitions, settings } = definition;
  const { limit, start_for = [] } = settings;
  const starting = [limit, ...(limit.except ? [limit.except] : []), ...start_for];
  const asked = states.flatMap((state) => state.participants);
  const leaves = transitions.flatMap((one) => one.conditions.flatMap((branch) => leavesOf(branch.expression)));
  const groups = states.map(groupsOf);
  const users = states.flatMap((state) => [
    ...usersOf(state),
    ...state.on_empty_users,
    ...(state.timeout?.users ?? []),
  ]);
  const depts = leaves.flatMap((leaf) => (leaf.op === 'dept_in' ? leaf.value : []));
  const roles = leaves.flatMap((leaf) => (leaf.op === 'role_of' || leaf.op === 'superior_of' ? leaf.value : []));
  const posts = leaves.flatMap((leaf) => (leaf.op === 'post_of' ? leaf.value : []));
  const each = <T>(...lists: (readonly T[])[]) => [...new Set(lists.flat())];
  const known = await rolesByCode(
    tx,
    each(
      roles,
      starting.flatMap((rule) => rule.roles),
      asked.flatMap((who) => (who.type === participantType.superiors && 'role' in who.until ? [who.until.role] : [])),
      ...groups.map((group) => group.roles),
    ),
  );
  const counts = await countPeople(
    tx,
    groups.map((group) => ({ depts: group.depts, roles: known.filter((role) => group.roles.includes(role.code)) })),
  );
  const once = <K, V>(find: (key: K) => Promise<V>) => {
    const found = new Map<K, Promise<V>>();
    return (key: K): Promise<V> => {
      const before = found.get(key) ?? find(key);
      found.set(key, before);
      return before;
    };
  };
  const administered = once(async (id: number) => (await administratorsOf(tx, id)).length > 0);
  return {
    users: new Set(
      await workingAmong(
        tx,
        each(
          users,
          starting.flatMap((rule) => rule.users),
        ),
      ),
    ),
    groups: await groupSizes(tx),
    posts: await postSizes(
      tx,
      each(
        posts,
        asked.flatMap((who) => (who.type === participantType.post ? who.posts : [])),
        asked.flatMap((who) => (who.type === participantType.superiors && 'post' in who.until ? [who.until.post] : [])),
      ),
    ),
    depts: new Set(
      await deptsBelow(
        tx,
        each(
          depts,
          starting.flatMap((rule) => rule.depts),
          asked.flatMap((who) => (who.type === participantType.deptHeads ? who.depts : [])),
          ...groups.map((group) => group.depts),
        ),
      ),
    ),
    roles: new Set(known.map((role) => role.code)),
    people: new Map(states.map((state, index) => [state.id, counts[index] ?? 0])),
    ways: await noticeWays(tx, each(states.flatMap(calledBy))),
    anybody: once(async (variable) => {
      if (variable === 'xld') return (await holdersOf(tx, 'xld')).length > 0;
      const parts = partsFor[variable];
      return parts === undefined || (await partsOf(tx, 'all', ...parts)).length > 0;
    }),
    heads: async (depts) => (await headsOf(tx, depts)).length > 0,
    vacant: once((variable) => deptsWithout(tx, partsFor[variable] ?? [], limit.depts)),
    administered: () => administered(workflowId),
  };
}

/** People a state names itself. */
function usersOf({ participants }: State): number[] {
  return participants.flatMap((who) => {
    if (who.type === participantType.user) return who.user;
    return who.type === participantType.users ? who.users : [];
  });
}

/** Departments and roles a state names. */
function groupsOf({ participants }: State): { depts: number[]; roles: string[] } {
  return {
    depts: [...new Set(participants.flatMap((who) => (who.type === participantType.dept ? who.depts : [])))],
    roles: [...new Set(participants.flatMap((who) => (who.type === participantType.role ? who.roles : [])))],
  };
}
