import { sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows } from '#kernel/server/db/db.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

/** The style of numbers with a year, which have a code. */
const byYear = 1;

/** The codes in document numbers: those that come with the product wait, disabled, until they are the organisation's own. */
export const numberSteps: readonly SetupStep[] = [
  {
    key: 'numbers',
    order: 70,
    title: '机关代字',
    help: '把发文字号中的代字改成本单位的，如“实中发〔2027〕1号”中的“实中发”',
    at: { page: 'document/setting', code: 'Update', path: '/document/setting' },
    async find(tx) {
      const [row] = await namedRows<{ codes: string | null }>(
        tx,
        sql`select string_agg(agency_code, '、' order by id) codes from number_rule
          where not is_deleted and status = ${inSql(onOff.on)} and style = ${byYear}`,
      );
      return { done: row!.codes !== null, text: row!.codes ?? '' };
    },
  },
];
