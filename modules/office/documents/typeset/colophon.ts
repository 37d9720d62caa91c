import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { headFor } from '#modules/platform/letterheads/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';

/** 印发机关 and 印发日期 of the 版记. */
export interface Colophon {
  print_org: string;
  print_date: string | null;
}

const written = ({ print_org, print_date }: Stored): Colophon => ({ print_org, print_date });

/** True if a letter has its number and is not issued yet, so that its 版记 is being made. */
export const isBeingPrinted = ({ doc_kind, doc_number, act_state }: Stored): boolean =>
  doc_kind === sending && doc_number !== '' && act_state === actState.ongoing;

/** The 版记 of a document if printed on this day: the entered values, else the office and the day. */
export async function colophonOf(tx: Db, doc: Stored, today: string): Promise<Colophon> {
  return isBeingPrinted(doc) ? filledIn(tx, doc, today) : written(doc);
}

/** The same for a letter that is printed now. */
export async function filledIn(tx: Db, doc: Stored, today: string): Promise<Colophon> {
  const { print_org, print_date } = written(doc);
  const day = doc.written_date !== null && doc.written_date > today ? doc.written_date : today;
  return { print_org: print_org || (await officeOf(tx, doc)), print_date: print_date ?? day };
}

/**
 * The printing office: by the letterhead; else the department of the party and administration office, after the name of the house; else the
 * default office.
 */
async function officeOf(tx: Db, { redhead_id, doc_type, issue_org }: Stored): Promise<string> {
  const head = await headFor(tx, { chosen: redhead_id, docType: doc_type });
  if (head?.print_org) return head.print_org;
  const org = sql`${issue_org}::text`;
  const { rows } = await tx.execute<{ name: string }>(sql`
    with issuing as (
        select length(name) as letters from dept where not is_deleted and right(${org}, length(name)) = name
        order by length(name) desc limit 1),
      house as (select left(${org}, length(${org}) - coalesce((select letters from issuing), 0)) as name),
      office as (
        select d.name from role r join held_role held on held.role_id = r.id
          join app_user u on u.id = held.user_id and u.is_active and not u.is_deleted
          join dept d on not d.is_deleted
            and (d.id = u.dept_id or d.id in (select dept_id from user_dept where user_id = u.id))
        where r.code = 'office_admin' and d.name ~ '办公[室厅]$'
        group by d.id, d.name order by count(*) desc, d.id limit 1)
    select case when o.name is not null then h.name || o.name
      when ${org} ~ '办公[室厅]$' then ${org} when h.name = '' then ${org} else h.name || '办公室' end as name
    from house h left join office o on true`);
  return rows[0]?.name ?? '';
}
