export { isBeingApproved, isErasable, isWithAuthor, type Words, type Writing } from './record/commands.ts';
export type {
  ApprovalRow,
  ApprovalTable,
  ColumnsOf,
  SetsOf,
  FaultsAsked,
  ReadRow,
  RecordDefinition,
  RecordEvent,
  RecordViewer,
  RowOf,
} from './record/definition.ts';
export { isThrough, saidWith, standsAs, undoing } from './record/definition.ts';
export { flowByCategory, flowByKey, workflowOfCategory } from './flow.ts';
export { heldBy } from './record/content.ts';
export { changesOf, type ChangeDefinition } from './record/change.ts';
export { record, type ApprovalRecord } from './record/record.ts';
export { withoutTicket, type ListAsked, type Listed, type ListOptions, type RecordApproval } from './record/rows.ts';
export type { RecordCategory } from './record/visibility.ts';
export { recordHandlers, type ListAnswer, type RecordWriting } from './record/handlers.ts';
