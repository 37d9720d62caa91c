import type { TestOffice } from '#apps/server/testing.ts';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition, type DefinitionInput, type StateAction } from '#modules/workflow/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { hashOf } from '#modules/workflow/workflows/service.ts';
import { workflowTable, workflowVersionTable } from '#modules/workflow/workflows/tables.ts';

/** Publishes a definition as a new workflow, with the same checks as the call; returns its id. */
export async function addFlow(app: TestOffice, key: string, input: DefinitionInput | Definition): Promise<number> {
  const definition = Definition.parse(input);
  const [problem] = publishProblems(definition);
  if (problem) throw new Error(problem.msg);
  return app.services.databases.write(async (tx) => {
    const [flow] = await tx
      .insert(workflowTable)
      .values({ key, name: definition.name })
      .returning({ id: workflowTable.id });
    await tx.insert(workflowVersionTable).values({
      workflow_id: flow!.id,
      no: 1,
      status: 'published',
      definition,
      hash: hashOf(definition),
      published_at: new Date().toISOString(),
    });
    return flow!.id;
  });
}

/**
 * Publishes the leave workflow with a person, and a table of people and places, in its form; `actions` are those of the head's state. Returns the
 * workflow's id.
 */
export function publishTrip(app: TestOffice, key: string, actions: readonly StateAction[] = []): Promise<number> {
  const person = { key: 'who', name: '同行人', type: fieldType.user };
  const place = { key: 'place', name: '地点', type: fieldType.string };
  const table = { id: 8, key: 'trips', name: '行程', type: fieldType.table, columns: [person, place] };
  const more = { who: fieldAccess.optional, trips: fieldAccess.optional };
  return addFlow(app, key, {
    ...leave.definition,
    name: `出差${key}`,
    fields: [...leave.definition.fields, { id: 7, ...person }, table],
    states: leave.definition.states.map((state) => ({
      ...state,
      access: { ...state.access, ...more },
      actions: state.id === 2 ? [...state.actions, ...actions] : state.actions,
    })),
    settings: { ...leave.definition.settings, number_rule: { prefix: key.toUpperCase(), digits: 4, period: 'day' } },
  });
}
