export {
  actStateOf,
  actionsOn,
  approvalsOf,
  definitionOf,
  end as endTicket,
  force as forceTicket,
  handlersOf,
  holdTickets,
  keptRecords,
  logOf,
  ofTickets,
  remove as removeTicket,
  revoke as revokeTicket,
  seesTicket,
  send as sendTicket,
  standsIn,
  startFor,
  type Sending,
} from './records/approval.ts';
export { dueBy } from './automation/deadlines.ts';
export { correctOpinion, whyNotCorrectable } from './commands/correcting.ts';
export { handlingsOf, type Handling } from './read/handlings.ts';
export { latestActionsOf, type Action } from './read/latest-actions.ts';
export { dueTickets, ownLeave } from './read/feed.ts';
export { awaySpans } from './records/away.ts';
export { linkedTickets, ticketCard, ticketsNumbered, ticketsNumberedIn, waitsFor } from './read/linked.ts';
export { standingOf } from './records/standing.ts';
export { workedHours } from './statistics/worked-hours.ts';
export { seesFile } from './fields/attachments.ts';
export { act as actOnTicket, type CommandContext, type Moved } from './commands/commands.ts';
export { opinionsOnPaper } from './read/opinions.ts';
export { isRefused, type RecordContent } from './engine/state.ts';
export {
  decidesSecret,
  isSubmitted,
  passed,
  type RecordModule,
  type SecretTickets,
  type Turn,
  type Guarded as Withheld,
} from './records/records.ts';
export { running } from './versions/running.ts';
export { standsBy, whoStarted } from './visibility/begun.ts';
export { withdrawTodos } from './notify/withdraw-todos.ts';
export { ticketViewerFor, type TicketViewer } from './visibility/viewer.ts';
