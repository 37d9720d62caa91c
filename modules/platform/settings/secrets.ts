import { invalid } from '#kernel/contract/refusal.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { hiddenSecret, interfaceGroups, type Interfaces } from './contract/interfaces.ts';

const isSecret = (group: string, field: string) => interfaceGroups[group]?.fields[field]?.kind === 'secret';

type Given = Record<string, Record<string, string | undefined> | undefined>;

/** Every field of every group; of a secret only whether there is one. */
export function hidden(kept: Interfaces): Interfaces {
  return each((group, field) => {
    const value = kept[group]?.[field] ?? '';
    return isSecret(group, field) && value ? hiddenSecret : value;
  });
}

/** The stored values after a change. New secrets are sealed; one that was sent back hidden or not at all stays. */
export function merged(kept: Interfaces, given: Given, box: SecretBox): Interfaces {
  return each((group, field) => {
    const before = kept[group]?.[field] ?? '';
    const wanted = given[group]?.[field];
    if (wanted === undefined) return before;
    if (!isSecret(group, field)) return wanted;
    if (wanted === hiddenSecret) return before;
    return wanted && box.seal(wanted);
  });
}

/** Refuses a change that would send a stored secret, which the user may not know, to another address than it was meant for. */
export function refuseSecretsElsewhere(kept: Interfaces, given: Given): void {
  const errors = Object.entries(interfaceGroups).flatMap(([group, { title, fields }]) => {
    const moved = Object.entries(fields).find(([name, { kind, leads }]) => {
      const wanted = given[group]?.[name] ?? '';
      return (leads || kind === 'url') && wanted !== '' && wanted !== (kept[group]?.[name] ?? '');
    });
    if (!moved) return [];
    return Object.entries(fields)
      .filter(([name]) => isSecret(group, name) && kept[group]?.[name])
      .filter(([name]) => (given[group]?.[name] ?? hiddenSecret) === hiddenSecret)
      .map(([name, field]) => ({
        field: `${group}.${name}`,
        label: `${title}${field.title}`,
        msg: `${moved[1].title}有改动，请重新填写${field.title}，以免发往别处`,
      }));
  });
  if (errors.length > 0) throw invalid(errors);
}

/** The remaining values when the secrets can no longer be opened. */
export const withoutSecrets = (kept: Interfaces): Interfaces =>
  each((group, field) => (isSecret(group, field) ? '' : (kept[group]?.[field] ?? '')));

/** The number of stored secrets. */
export const secretsIn = (kept: Interfaces): number =>
  Object.entries(kept).flatMap(([group, fields]) =>
    Object.entries(fields ?? {}).filter(([field, value]) => value && isSecret(group, field)),
  ).length;

/** Values before and after for the log, by their titles; of a secret only that it was replaced. */
export function differences(before: Interfaces, after: Interfaces): [Record<string, string>, Record<string, string>] {
  const was: Record<string, string> = {};
  const is: Record<string, string> = {};
  for (const [group, { title, fields }] of Object.entries(interfaceGroups)) {
    for (const [field, { title: label }] of Object.entries(fields)) {
      const old = before[group]?.[field] ?? '';
      const next = after[group]?.[field] ?? '';
      if (old === next) continue;
      const secret = isSecret(group, field);
      was[`${title}${label}`] = secret && old ? hiddenSecret : old;
      is[`${title}${label}`] = secret && next ? '已更换' : next;
    }
  }
  return [was, is];
}

function each(valueOf: (group: string, field: string) => string): Interfaces {
  return Object.fromEntries(
    Object.entries(interfaceGroups).map(([group, { fields }]) => [
      group,
      Object.fromEntries(Object.keys(fields).map((field) => [field, valueOf(group, field)])),
    ]),
  );
}
