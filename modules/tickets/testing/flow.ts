import type { TestOffice } from '#apps/server/testing.ts';
import { Definition, type DefinitionInput } from '#modules/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflows/engine/publish-check.ts';
import { hashOf } from '#modules/workflows/service.ts';
import { workflowTable, workflowVersionTable } from '#modules/workflows/tables.ts';

/** Publishes a definition as a new workflow, by the same check as the call; answers its id. */
export async function addFlow(office: TestOffice, key: string, input: DefinitionInput): Promise<number> {
  const definition = Definition.parse(input);
  const [problem] = publishProblems(definition);
  if (problem) throw new Error(problem.msg);
  return office.services.databases.write(async (tx) => {
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
