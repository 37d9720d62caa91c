import type { Db } from '#kernel/server/db/db.ts';
import { aliasesOf, deptNamesById } from '#modules/platform/people/service.ts';
import { regionName } from '#modules/workflow/workflows/engine/fields/regions.ts';
import { deptKey, deptOf, isRegionKey, regionKey } from '#modules/workflow/workflows/engine/fields/value-words.ts';
import type { Names } from '../engine/fields.ts';

/** Names of the people, departments and regions in fields, by their keys; one statement for each kind present. */
export async function namesFor(tx: Db, keys: readonly string[]): Promise<Names> {
  const people = await aliasesOf(
    tx,
    keys.filter((key) => deptOf(key) === null && !isRegionKey(key)),
  );
  const depts = await deptNamesById(
    tx,
    keys.flatMap((key) => deptOf(key) ?? []),
  );
  const regions = keys.filter(isRegionKey).map((key) => [key, regionName(key.slice(regionKey('').length))] as const);
  return new Map([...people, ...[...depts].map(([id, name]) => [deptKey(id), name] as const), ...regions]);
}

/** Names of some people, by user name. */
export function namesOf(usernames: readonly string[], names: Names): Record<string, string> {
  return Object.fromEntries(
    usernames.flatMap((username) => {
      const alias = names.get(username);
      return alias === undefined ? [] : [[username, alias] as const];
    }),
  );
}
