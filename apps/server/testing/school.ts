import { deptPersonTable } from '#modules/platform/people/tables.ts';
import { walking } from '#modules/workflow/tickets/testing/walking.ts';
import { openTestApp, type Client, type TestOffice } from '../testing.ts';

type Wanted = Parameters<TestOffice['person']>[0];
type Posts = Partial<Record<(typeof deptPersonTable.$inferInsert)['part'], Client>>;

/** Makes people the head, the leader in charge, an approver or a secretary of a department. */
export async function appoint({ services }: TestOffice, dept: number, posts: Posts): Promise<void> {
  const rows = Object.entries(posts).map(([part, { userId }]) => ({
    dept_id: dept,
    user_id: userId,
    part: part as keyof Posts,
  }));
  await services.databases.write((tx) => tx.insert(deptPersonTable).values(rows));
}

/** The names of people and departments, unless a test gives others. */
const usual = {
  /** The applicant or author, and a colleague who is not involved. */
  staff: '张三',
  colleague: '孙八',
  /** Head of the department, and the leader in charge of it. */
  head: '李四',
  leader: '王五',
  principal: '陈校长',
  /** A clerk of the party and administration office. */
  clerk: '党政办',
  worker: '赵六',
  /** The head of another department, and one of its staff. */
  librarian: '周馆长',
  stranger: '外人',
  dept: '教务处',
  below: '考试中心',
  elsewhere: '图书馆',
};

/**
 * The people of a small school: 教务处 with 考试中心 below it, and 图书馆. All of them hold the role 员工; `principal`, `clerk` and `worker` also that of their
 * post. `called` gives other names for some of them and their departments.
 */
export async function castOf(app: TestOffice, called: Partial<typeof usual> = {}) {
  const names = { ...usual, ...called };
  const dept = await app.dept(names.dept);
  const below = await app.dept(names.below, dept);
  const elsewhere = await app.dept(names.elsewhere);
  /** Creates and signs in a person of the first department, unless another is wanted. */
  const hire = async (alias: string, { roles = [], ...wanted }: Wanted = {}): Promise<Client> =>
    app.signIn(await app.person({ alias, dept, roles: ['staff', ...roles], ...wanted }));
  const people = {
    staff: await hire(names.staff),
    colleague: await hire(names.colleague),
    head: await hire(names.head),
    leader: await hire(names.leader),
    principal: await hire(names.principal, { roles: ['xld'] }),
    clerk: await hire(names.clerk, { roles: ['office_admin'] }),
    worker: await hire(names.worker, { roles: ['order_handler'] }),
    librarian: await hire(names.librarian, { dept: elsewhere }),
    stranger: await hire(names.stranger, { dept: elsewhere }),
  };
  await appoint(app, dept, { leader: people.head, dept_ld: people.leader });
  await appoint(app, elsewhere, { leader: people.librarian });
  return { office: app, dept, below, elsewhere, ...people, hire, ...walking(app) };
}

/** A new app with the people of a small school in it. */
export const openSchool = async (options: Parameters<typeof openTestApp>[0] = {}, called: Partial<typeof usual> = {}) =>
  castOf(await openTestApp(options), called);
export type School = Awaited<ReturnType<typeof openSchool>>;
