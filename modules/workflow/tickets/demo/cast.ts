import type { Db } from '#kernel/server/db/db.ts';
import { holdersOf, type PersonCard } from '#modules/platform/people/service.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import type { Cast, DemoFlow } from './lives.ts';
import { leaveWords, serviceResult, serviceWords } from './words.ts';
import { answersTo, creatorFacts } from '../commands/facts.ts';
import { queryKey, type PeopleQuery } from '../engine/people/people.ts';

/** Everybody on the staff, and the answers of the real organisation, each looked up once. */
export async function castOf(tx: Db): Promise<Cast> {
  const facts = remembered((key: string) => {
    const [id, dept] = key.split(' ').map(Number);
    return creatorFacts(tx, id ?? 0, dept || null);
  });
  const answers = new Map<string, readonly number[]>();
  return {
    creators: await holdersOf(tx, 'staff'),
    facts: (person: PersonCard) => facts(`${person.id} ${person.dept_id ?? 0}`),
    async answer(workflowId: number, query: PeopleQuery) {
      const key = `${workflowId} ${queryKey(query)}`;
      const known =
        answers.get(key) ??
        (await answersTo(tx, { workflow_id: workflowId, parent_ticket_id: null }, [query]))[queryKey(query)] ??
        [];
      answers.set(key, known);
      return known;
    },
  };
}

/** The published versions of the two workflows, with somebody to fill them in. */
export async function flowsOf(
  tx: Db,
  ids: { repair: number; leave: number },
): Promise<{ repair: DemoFlow; leave: DemoFlow }> {
  const published = async (id: number) => {
    const version = await versionToStart(tx, id);
    if (!version) throw new Error(`workflow ${id} has no published version`);
    return { workflow_id: id, version_id: version.id, definition: version.definition };
  };
  return {
    repair: { ...(await published(ids.repair)), varies: true, ask: serviceWords, answer: serviceResult },
    leave: { ...(await published(ids.leave)), varies: false, ask: leaveWords, answer: () => ({}) },
  };
}

export function remembered<V>(find: (key: string) => V): (key: string) => V {
  const found = new Map<string, V>();
  return (key) => {
    const value = found.has(key) ? (found.get(key) as V) : find(key);
    found.set(key, value);
    return value;
  };
}
