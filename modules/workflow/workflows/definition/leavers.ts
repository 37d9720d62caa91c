import { and, eq, sql } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { at, whole, type Problem } from '../engine/check/problem.ts';
import type { Definition, State } from '../engine/definition.ts';
import { places, standingAt } from '../engine/naming/places.ts';
import { workflowNews } from '../scheduled/news.ts';
import { administratorsOf } from '../service.ts';
import { workflowTable, workflowVersionTable } from '../tables.ts';

interface Named {
  person: number;
  /** Null: named in the settings. */
  state: State | null;
  as: string;
}

/** By what a state, or the settings, say somebody, as what: a test holds that there is no other. */
const calls: Readonly<Record<string, string>> = {
  participants: '的办理人',
  on_empty_users: '找不到办理人时代为处理的',
  timeout: '超过时限转给的',
  limit: '发起范围里的',
  except: '不可发起的',
  start_for: '可代他人发起的',
};

/** All people a definition names, with their function. */
export function peopleNamedIn({ states, settings }: Definition): Named[] {
  const parts = [...states.map((state) => [state, { states: [state] }] as const), [null, { settings }] as const];
  const ofPeople = places.filter(({ names }) => names === 'user');
  return parts.flatMap(([state, part]) =>
    ofPeople.flatMap((place) => {
      const [, key = '', within] = place.steps.flatMap((step) => (step.take === 'key' ? step.key : []));
      const as = calls[within === 'except' ? within : key]!;
      return standingAt(place, part).map((person): Named => ({ person: Number(person), state, as }));
    }),
  );
}

/** Problems for named people who have left: new tickets do without them, whether the workflow is published again or not. */
export async function leaverProblems(tx: Db, definition: Definition): Promise<Problem[]> {
  const named = peopleNamedIn(definition);
  const working = new Set(await workingAmong(tx, [...new Set(named.map(({ person }) => person))]));
  const gone = named.filter(({ person }) => !working.has(person));
  const people = await peopleById(
    tx,
    gone.map(({ person }) => person),
  );
  return gone.map(({ person, state, as }) => {
    const who = `${as}“${people.get(person)?.alias ?? person}”已离开`;
    // A person who may start tickets is removed rather than replaced.
    return state ? at(state, `环节“${state.name}”${who}，请改由他人`) : whole(`${who}，请去掉`);
  });
}

/** Queued by the database when somebody leaves: notifies the administrators of workflows that name them. */
export const leaversTask = (databases: Pick<Databases, 'write'>): Task<{ person: number }> => ({
  name: 'workflows that name who left',
  title: '告知流程里有人离开',
  run: ({ person }) => databases.write((tx) => tellOfLeaver(tx, person)),
});

async function tellOfLeaver(tx: Db, person: number): Promise<void> {
  if ((await workingAmong(tx, [person])).length > 0) return;
  const rows = await tx
    .select({ id: workflowTable.id, name: workflowTable.name, definition: workflowVersionTable.definition })
    .from(workflowVersionTable)
    .innerJoin(workflowTable, eq(workflowTable.id, workflowVersionTable.workflow_id))
    .where(
      and(
        eq(workflowVersionTable.status, 'published'),
        eq(workflowTable.is_deleted, false),
        sql`${workflowVersionTable.definition}::text ~ ${`\\m${person}\\M`}`,
      ),
    );
  const alias = (await peopleById(tx, [person])).get(person)?.alias ?? '';
  for (const { id, name, definition } of rows) {
    const places = peopleNamedIn(definition).filter((one) => one.person === person);
    if (places.length === 0) continue;
    const where = [...new Set(places.map(({ state, as }) => (state ? `“${state.name}”${as}` : as)))].join('、');
    const follows = places.some(({ state }) => state) ? '，新工单不再由其办理' : '';
    const said = {
      title: `流程“${name}”指定的${alias}已离开`,
      content: `${where}人员里有${alias}${follows}；请修改流程并发布`,
      by: null,
    };
    await announce(tx, workflowNews.PERSON_LEFT, { id }, said, await administratorsOf(tx, id, person));
  }
}
