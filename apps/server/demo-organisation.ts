import { inArray, sql } from 'drizzle-orm';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { StartupError } from '#kernel/server/process/config.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Demo } from '#kernel/server/product.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoTickets, addOfficeTickets } from '#modules/workflow/tickets/demo/demo.ts';
import { templates } from '#modules/workflow/workflows/engine/gallery/templates.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { markDemo } from './demo-accounts.ts';
import { addDemoDocuments } from './demo-documents.ts';
import { definitions } from './modules.ts';

const weeksOfWork = 6;
const ticketsOfWork = 150;
const ticketsOfOffice = 90;
/** Sorts after the entries that modules bring. */
const behindAll = 1000;

/** Parts of the demonstration that concern several modules at once. */
const own: readonly Demo[] = [
  {
    order: 50,
    load: async () => async (tx, now) => {
      await addDemoTickets(tx, {
        tickets: ticketsOfWork,
        weeks: weeksOfWork,
        now,
        chance: chanceOf(2026),
        ...(await demoWorkflows(tx)),
      });
      await addOfficeTickets(tx, {
        tickets: ticketsOfOffice,
        weeks: weeksOfWork,
        now,
        // These tickets have ended, because waiting items come from the usual work.
        ago: 1,
        chance: chanceOf(2027),
        workflows: await addOfficeWorkflows(tx),
      });
    },
  },
  { order: 60, load: async () => addDemoDocuments },
];

/** Adds a school with people and some weeks of work orders to an empty database, and what the modules show. */
export async function addDemoOrganisation(tx: Db, now: Date): Promise<void> {
  await addDemoSchool(tx, await markDemo(tx));
  for (const { load } of inOrder([...own, ...definitions.flatMap((module) => module.demos ?? [])]))
    await (
      await load()
    )(tx, now);
  // Nobody should begin the day with messages about old events.
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}

/** The parts in the order in which they are added; of two with one place nobody knows which may refer to the other. */
export function inOrder(demos: readonly Demo[]): Demo[] {
  const sorted = demos.toSorted((a, b) => a.order - b.order);
  const twice = sorted.find(({ order }, at) => sorted[at + 1]?.order === order);
  if (twice) throw new Error(`two parts of the demonstration have the place ${twice.order}`);
  return sorted;
}

/** Ids of the two workflows that the demonstration uses. */
export async function demoWorkflows(tx: Db): Promise<{ repair: number; leave: number }> {
  const rows = await tx
    .select()
    .from(workflowTable)
    .where(inArray(workflowTable.key, ['it_service', 'leave']));
  const idOf = (key: string) => {
    const found = rows.find((row) => row.key === key && !row.is_deleted);
    if (!found) throw new StartupError(`没有编码为 ${key} 的流程，不能生成演示数据。`);
    return found.id;
  };
  return { repair: idOf('it_service'), leave: idOf('leave') };
}

/** Publishes the workflows of the gallery that a new organisation lacks; returns the ids of all of them by key. */
async function addOfficeWorkflows(tx: Db): Promise<Record<string, number>> {
  const wanted = templates.map(({ about, ...flow }) => ({ ...flow, description: about }));
  await addWorkflows(tx, wanted, behindAll);
  const rows = await tx.select({ id: workflowTable.id, key: workflowTable.key }).from(workflowTable);
  return Object.fromEntries(rows.map(({ id, key }) => [key, id]));
}
