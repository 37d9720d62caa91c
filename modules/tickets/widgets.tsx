export { TicketFields } from './web/fields/TicketFields.tsx';
export { HandOver } from './web/handover/HandOver.tsx';
export { Handling } from './web/Handling.tsx';
export { FlowGraph } from './web/FlowGraph.tsx';
export { Copies } from './web/log/Copies.tsx';
export { FlowLogs } from './web/log/FlowLogs.tsx';
export { isNews, News, useChangedFields, useReadUntil } from './web/log/news.tsx';
export { OpinionTable } from './web/OpinionTable.tsx';
export { Steps } from './web/log/Steps.tsx';
