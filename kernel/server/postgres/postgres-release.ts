import type pg from 'pg';
import { StartupError } from '../process/config.ts';

/** The oldest major release of PostgreSQL that the product supports; README and docs/operations.md name the same. */
export const oldestPostgres = 15;

export interface Release {
  /** The version as people write it, e.g. `18.4`. */
  version: string;
  tooOld: boolean;
}

/** The release of the server behind a connection. */
export async function releaseOf(client: Pick<pg.Client, 'query'>): Promise<Release> {
  const { rows } = await client.query<{ version: string; number: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as number`,
  );
  const { version, number } = rows[0]!;
  return { version, tooOld: Number(number) < oldestPostgres * 10_000 };
}

/** The message for a release that is too old; `title` is the name of the database for people. */
export const tooOldSaid = (title: string, { version }: Release): string =>
  `${title}的版本 ${version} 过旧，需要 PostgreSQL ${oldestPostgres} 或更高版本`;

/** Throws `StartupError` if the database is too old for the product. */
export async function refuseOldPostgres(client: Pick<pg.Client, 'query'>): Promise<void> {
  const release = await releaseOf(client);
  if (release.tooOld) throw new StartupError(`${tooOldSaid('数据库', release)}，没有启动：请先升级数据库。`);
}
