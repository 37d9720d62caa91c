export { FieldValue } from './web/fields/FieldValue.tsx';
export { LazyRegionPick } from './web/fields/path/LazyRegionInput.tsx';
export { PeopleField } from './web/fields/PeopleField.tsx';
export { focusField, TicketFacts, TicketFields } from './web/fields/TicketFields.tsx';
export { useWorks } from './web/fields/useWorks.ts';
export { graphOf } from './web/graph/describe.ts';
export { WorkflowGraph } from './web/graph/LazyGraph.tsx';
export type { WorkflowGraphProps } from './web/graph/WorkflowGraph.tsx';
