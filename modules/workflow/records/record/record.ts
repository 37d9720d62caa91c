import { commandsFor } from './commands.ts';
import type { ApprovalTable, RecordDefinition, RecordViewer } from './definition.ts';
import { startedFor } from './begun.ts';
import { eventsFor } from './events.ts';
import { readingFor } from './rows.ts';
import { visibilityOf } from './visibility.ts';

/** An approval record from its definition: who sees it, how it is written and sent, what its ticket does to it, how it is shown. */
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
    /** What the module registers of it: its tickets' ear, its files, its links, what people started of it. */
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
