import type { Condition } from '../../engine/condition.ts';
import { leafFor, roleSubject, type Group } from './operators.ts';
import type { Field } from '../../engine/definition.ts';

/** A condition as the builder shows it: always a group, so that a row can be added beside the only one. */
export function asGroup(condition: Condition): Group {
  return condition.op === 'and' || condition.op === 'or' ? condition : { op: 'and', of: [condition] };
}

/** The stored form of a group: a single row without a group, an empty group as null. */
export function fromGroup(group: Group): Condition | null {
  const [only] = group.of;
  if (!only) return null;
  return group.of.length === 1 ? only : group;
}

/** An initial row: about the first field, or about the applicant if the form has none. */
export function firstRow(fields: readonly Field[]): Condition {
  return leafFor(fields[0]?.key ?? roleSubject, fields);
}

export function replaced(group: Group, index: number, part: Condition | null): Group {
  const of = part
    ? group.of.map((one, at) => (at === index ? part : one))
    : group.of.filter((_one, at) => at !== index);
  return { ...group, of };
}
