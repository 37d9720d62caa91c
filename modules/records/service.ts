export { isBeingApproved, isWithAuthor, type Words, type Writing } from './record/commands.ts';
export type {
  ApprovalRow,
  ApprovalTable,
  ColumnsOf,
  FaultsAsked,
  ReadRow,
  RecordDefinition,
  RecordEvent,
  RecordViewer,
  RowOf,
} from './record/definition.ts';
export { flowByCategory, flowByKey, workflowOfCategory } from './flow.ts';
export { changesOf, type ChangeDefinition } from './record/change.ts';
export { record, type ApprovalRecord } from './record/record.ts';
export type { ListAsked, Listed, ListOptions, RecordApproval } from './record/rows.ts';
export { recordHandlers, type ListAnswer, type RecordWriting } from './record/handlers.ts';
