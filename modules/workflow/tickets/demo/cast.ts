import type { Db } from '#kernel/server/db/db.ts';
import { holdersOf, type PersonCard } from '#modules/platform/people/service.ts';
import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import type { Cast, DemoFlow } from './lives.ts';
import { officeAnswers, officeAsks } from './office-words.ts';
import { leaveWords, serviceResult, serviceWords } from './words.ts';
import { answersTo, creatorFacts } from '../commands/facts.ts';
import { queryKey, type PeopleQuery } from '../engine/people/people.ts';

/** All staff, and the real organisation's answers, each looked up once. */
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

/** The published versions of the two workflows, with functions that fill in their forms. */
export async function flowsOf(
  tx: Db,
  ids: { repair: number; leave: number },
): Promise<{ repair: DemoFlow; leave: DemoFlow }> {
  return {
    repair: {
      ...(await published(tx, ids.repair)),
      varies: true,
      ask: serviceWords,
      answer: (chance, day, { kind }) => (kind === 'handle' ? serviceResult(chance, day) : {}),
    },
    leave: { ...(await published(tx, ids.leave)), varies: false, ask: leaveWords, answer: () => ({}) },
  };
}

/** The same for the gallery's flows for which there are words, by their keys. */
export async function officeFlows(tx: Db, workflows: Readonly<Record<string, number>>): Promise<DemoFlow[]> {
  const flows: DemoFlow[] = [];
  for (const [key, ask] of Object.entries(officeAsks)) {
    const id = workflows[key];
    if (id === undefined) continue;
    flows.push({
      ...(await published(tx, id)),
      varies: false,
      ask,
      answer: (chance, _day, { access }) =>
        Object.fromEntries(
          Object.entries(officeAnswers).flatMap(([field, says]) =>
            access[field] === fieldAccess.required ? [[field, says(chance)]] : [],
          ),
        ),
    });
  }
  return flows;
}

async function published(tx: Db, id: number) {
  const version = await versionToStart(tx, id);
  if (!version) throw new Error(`workflow ${id} has no published version`);
  return { workflow_id: id, version_id: version.id, definition: version.definition };
}

export function remembered<V>(find: (key: string) => V): (key: string) => V {
  const found = new Map<string, V>();
  return (key) => {
    const value = found.has(key) ? (found.get(key) as V) : find(key);
    found.set(key, value);
    return value;
  };
}
