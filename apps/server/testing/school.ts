import { deptPersonTable } from '#modules/people/tables.ts';
import { walking } from '#modules/tickets/testing/walking.ts';
import { openTestApp, type Client, type TestOffice } from '../testing.ts';

type Wanted = Parameters<TestOffice['person']>[0];

/**
 * The people of a small school: 教务处 with 考试中心 below it, and 图书馆 elsewhere. All of them hold the role 员工; `principal`, `clerk` and
 * `worker` that of their post besides.
 */
export async function castOf(app: TestOffice) {
  const dept = await app.dept('教务处');
  const below = await app.dept('考试中心', dept);
  const elsewhere = await app.dept('图书馆');
  /** Somebody of the first department unless another is wanted, signed in. */
  const hire = async (alias: string, { roles = [], ...wanted }: Wanted = {}): Promise<Client> =>
    app.signIn(await app.person({ alias, dept, roles: ['staff', ...roles], ...wanted }));
  /** Makes people the head, the leader in charge, approvers or secretaries of a department. */
  const appoint = (to: number, posts: Partial<Record<(typeof deptPersonTable.$inferInsert)['part'], Client>>) =>
    app.services.databases.write((tx) =>
      tx.insert(deptPersonTable).values(
        Object.entries(posts).map(([part, { userId }]) => ({
          dept_id: to,
          user_id: userId,
          part: part as keyof typeof posts,
        })),
      ),
    );
  const people = {
    /** Who asks, drafts, begins; and a colleague who has nothing to do with it. */
    staff: await hire('张三'),
    colleague: await hire('孙八'),
    /** Head of the department, and the leader in charge of it. */
    head: await hire('李处长'),
    leader: await hire('王副校长'),
    principal: await hire('陈校长', { roles: ['xld'] }),
    /** Of the party and administration office. */
    clerk: await hire('党政办', { roles: ['office_admin'] }),
    worker: await hire('赵六', { roles: ['order_handler'] }),
    /** Head of the department elsewhere, and somebody there. */
    librarian: await hire('周馆长', { dept: elsewhere }),
    stranger: await hire('外人', { dept: elsewhere }),
  };
  await appoint(dept, { leader: people.head, dept_ld: people.leader });
  await appoint(elsewhere, { leader: people.librarian });
  return { office: app, dept, below, elsewhere, ...people, hire, appoint, ...walking(app) };
}

/** A new office with the people of a small school in it. */
export const openSchool = async (options: Parameters<typeof openTestApp>[0] = {}) => castOf(await openTestApp(options));
export type School = Awaited<ReturnType<typeof openSchool>>;
