import type { Stage } from './stage.ts';
import type { Statement } from './floor.ts';

const grantText = `
  select u.id, u.is_active, r.data_scope from session s join app_user u on u.id = s.user_id and u.session_version = s.session_version
    join user_role ur on ur.user_id = u.id join role r on r.id = ur.role_id
    join role_menu_button rb on rb.role_id = r.id join menu_button mb on mb.id = rb.menu_button_id
    join menu m on m.id = mb.menu_id join button b on b.id = mb.button_id
  where u.id = $1 and s.ended_at is null and s.expires_at > now() and m.component = 'ticket/all' and b.code = 'Retrieve' limit 1`;

const seen = `not t.is_deleted and (t.act_state <> 0 or t.creator_id = $1)`;

const rowsText = `
  select t.id, t.sn, t.title, t.version_id, t.act_state, t.state_id, t.round, t.rev, t.gmt_created::text, t.gmt_modified::text,
    u.username, u.alias, d.name,
    (select json_agg(json_build_object('no', w.no, 'username', p.username, 'alias', p.alias)) from ticket_task w
      join app_user p on p.id = w.assignee_id where w.ticket_id = t.id and w.status = 'todo') as tasks
  from ticket t join app_user u on u.id = t.creator_id left join dept d on d.id = u.dept_id
  where ${seen} order by t.gmt_created desc, t.id desc limit 20`;
const totalText = `select count(*) from (select from ticket t where ${seen} limit 10001) as counted`;

/** The minimal queries of the list of all work orders: grant, rows, total. */
export const listSet = (person: number): Statement[] =>
  [grantText, rowsText, totalText].map((text) => ({ text, values: [person] }));
export const totalSet = (person: number): Statement[] => [{ text: totalText, values: [person] }];

const foundBy = (query: string) => `t.search @@ '${query}'::tsquery and ${seen}`;
/** The same with a search; `query` is a tsquery of ours. The word is part of the text, because the planner has to see it. */
export const searchSet = (person: number, query: string): Statement[] => [
  { text: grantText, values: [person] },
  { text: rowsText.replace(seen, foundBy(query.replaceAll("'", "''"))), values: [person] },
  { text: totalText.replace(seen, foundBy(query.replaceAll("'", "''"))), values: [person] },
];

export const detailSet = (ticket: number): Statement[] => [
  { text: 'select * from ticket where id = $1', values: [ticket] },
  { text: 'select * from ticket_token where ticket_id = $1', values: [ticket] },
  {
    text: 'select * from ticket_task w join app_user u on u.id = w.assignee_id where ticket_id = $1',
    values: [ticket],
  },
];

/** Columns of a ticket's table except its id, separated by commas. */
export async function columnsOf(stage: Stage, table: string): Promise<string> {
  const { rows } = await stage.app.services.databases.pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attname not in ('id', 'ticket_id', 'sn')`,
    [table],
  );
  return rows.map((row) => row.name).join(', ');
}

/** Creates a ticket of the same shape as one started over HTTP, copied row by row. */
export async function createSet(stage: Stage, like: number): Promise<Statement[]> {
  const part = async (table: string) => {
    const names = await columnsOf(stage, table);
    const text = `insert into ${table} (ticket_id, ${names})
      select currval(pg_get_serial_sequence('ticket', 'id')), ${names} from ${table} where ticket_id = $1`;
    return { text, values: [like] };
  };
  const ticket = await columnsOf(stage, 'ticket');
  return [
    {
      text: `insert into sequence as s (scope, key, period, last_no) values ('sn', $1, '20000101', 1)
        on conflict (scope, key, period) do update set last_no = s.last_no + 1 returning last_no`,
      values: ['BENCH'],
    },
    {
      text: `insert into ticket (sn, ${ticket}) select 'BENCH' || nextval(pg_get_serial_sequence('ticket', 'id')), ${ticket}
        from ticket where id = $1`,
      values: [like],
    },
    await part('ticket_token'),
    await part('ticket_task'),
    await part('ticket_log'),
  ];
}
