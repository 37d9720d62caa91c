import { useMemo } from 'react';
import type { z } from 'zod';
import { useCall } from '#kernel/web/calls.ts';
import { access } from '#modules/platform/access/contract.ts';
import type { DeptBranch } from '#modules/platform/people/contract/cards.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { groupCalls } from '../contract/groups.ts';
import { designCalls, type Module } from '../contract/design.ts';
import { describe, type Condition } from '../engine/condition.ts';
import { fieldType } from '../engine/codes.ts';
import type { Definition, State } from '../engine/definition.ts';
import { regionName } from '../engine/fields/regions.ts';
import { meant } from '../engine/meanings.ts';

/** Names for the numbers and codes in a definition. */
export interface Names {
  person(id: number): string;
  dept(id: number): string;
  role(code: string): string;
  group(id: number): string;
  /** Cards of people by their ids, for pickers. */
  cards(ids: readonly number[]): PersonCard[];
  roles: readonly { code: string; name: string }[];
  groups: readonly { id: number; name: string }[];
  /** Meanings that the workflow's states may have besides their people. */
  meanings: Meanings;
}
type Meanings = z.output<typeof Module>['meanings'];

function peopleIn(branches: readonly DeptBranch[]): PersonCard[] {
  return branches.flatMap((branch) => [...branch.users, ...peopleIn(branch.children)]);
}

/** Names from the organisation and from a workflow's module; numbers until they are loaded. */
export function useNames(module: string | null | undefined): Names {
  const { data: tree } = useCall(lookups.deptsUsers, { query: {} }, { staleTime: 300_000 });
  const { data: depts } = useCall(lookups.allDepts, {}, { staleTime: 300_000 });
  const { data: roles } = useCall(access.simpleRoles, {}, { staleTime: 300_000 });
  const { data: groups } = useCall(groupCalls.simpleGroups, {}, { staleTime: 300_000 });
  const { data: modules } = useCall(designCalls.modules, {}, { staleTime: 300_000 });
  return useMemo(() => {
    const people = new Map(peopleIn(tree ?? []).map((card) => [card.id, card]));
    const deptNames = new Map((depts ?? []).map((dept) => [dept.id, dept.name]));
    const roleNames = new Map((roles ?? []).map((role) => [role.code, role.name]));
    return {
      person: (id) => people.get(id)?.alias ?? `用户 ${id}`,
      dept: (id) => deptNames.get(id) ?? `部门 ${id}`,
      role: (code) => roleNames.get(code) ?? code,
      cards: (ids) => ids.flatMap((id) => people.get(id) ?? []),
      roles: roles ?? [],
      group: (id) => groups?.value.find((one) => one.id === id)?.name ?? `用户组 ${id}`,
      groups: groups?.value ?? [],
      meanings: [
        ...(modules?.value.find((one) => one.module === module)?.meanings ?? []),
        ...(modules?.meanings ?? []),
      ],
    };
  }, [tree, depts, roles, groups, modules, module]);
}

/** A state's meaning in words; empty for none. */
export function meaningText(state: Pick<State, 'label'>, { key, values }: Meanings[number]): string {
  const value = meant(state, { key });
  return values.find((one) => one.value === value)?.label ?? value ?? '';
}

/** A condition in words. */
export function conditionText(condition: Condition, { fields }: Pick<Definition, 'fields'>, names: Names): string {
  const fieldOf = (key: string) => fields.find((field) => field.key === key);
  return describe(condition, {
    field: (key) => fieldOf(key)?.name ?? `已删除的字段 ${key}`,
    value: (key, value) => {
      const field = fieldOf(key);
      if (typeof value === 'boolean')
        return value ? (field?.boolean_display.yes ?? '是') : (field?.boolean_display.no ?? '否');
      if (field?.type === fieldType.region) return regionName(String(value));
      return field?.choices.find((choice) => choice.value === value)?.label ?? String(value);
    },
    dept: names.dept,
    role: names.role,
    group: names.group,
  });
}
