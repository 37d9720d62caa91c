import { commandsFor } from './commands.ts';
import type { ApprovalTable, RecordDefinition, RecordViewer } from './definition.ts';
import { startedFor } from './begun.ts';
import { eventsFor } from './events.ts';
import { readingFor } from './rows.ts';
import { visibilityOf } from './visibility.ts';

/** Makes an approval record from its definition: visibility, writing and sending, ticket events, and display. */
export function record<T extends ApprovalTable, V extends RecordViewer = RecordViewer>(
  definition: RecordDefinition<T, V>,
) {
  const visibility = visibilityOf(definition);
  const events = eventsFor(definition, visibility);
  const commands = commandsFor(definition, visibility, events);
  const reading = readingFor(definition, visibility);
  return {
    definition,
    ...visibility,
    ...events,
    ...commands,
    ...reading,
    /** The values that the module registers: ticket events, files, links and started records. */
    brings: {
      records: { [definition.module]: events.tickets },
      owners: reading.owners,
      linked: { [definition.module]: reading.links },
      started: startedFor(definition, visibility),
    },
  };
}
export type ApprovalRecord<T extends ApprovalTable, V extends RecordViewer = RecordViewer> = ReturnType<
  typeof record<T, V>
>;
