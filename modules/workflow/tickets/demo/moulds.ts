import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Life } from './lives.ts';
import { mainStateId, type Event, type LogEntry, type TicketState } from '../engine/state.ts';

/** Rows for the temporary tables of `demo.ts`: a ticket after `steps` steps of a life. */
export interface Mould {
  life: number;
  steps: number;
  [column: string]: unknown;
}
export interface Moulds {
  tickets: Mould[];
  tokens: Mould[];
  tasks: Mould[];
  logs: Mould[];
}

const moment = (at: number) => new Date(at).toISOString();
const openStatus = (status: string) => status === 'todo' || status === 'waiting';

export function mouldsOf(lives: readonly Life[]): Moulds {
  const moulds: Moulds = { tickets: [], tokens: [], tasks: [], logs: [] };
  for (const [life, { flow, steps }] of lives.entries()) {
    const times = new Map<string, number>();
    for (const [index, step] of steps.entries()) {
      for (const entry of step.log) {
        for (const event of entry.events) noteTime(times, event, step.at);
        moulds.logs.push(logRow(life, index + 1, step.at, entry));
      }
      const { state, at } = step;
      const key = { life, steps: index + 1 };
      const over = state.act_state >= actState.finished;
      const submitted = steps.slice(0, index + 1).find((one) => one.log.some((entry) => entry.action === 'submit'));
      moulds.tickets.push({
        ...key,
        workflow_id: flow.workflow_id,
        version_id: flow.version_id,
        act_state: state.act_state,
        state_id: mainStateId(state),
        creator_id: state.creator,
        dept_id: state.creator_dept,
        title: state.title,
        form: JSON.stringify(state.form),
        ...wordsIn(state.form),
        chosen: JSON.stringify(state.chosen),
        undo: state.undo && JSON.stringify(state.undo),
        round: state.round,
        seq: state.seq,
        rev: index,
        submitted_at: submitted ? moment(submitted.at) : null,
        finished_at: over ? moment(at) : null,
        is_deleted: state.deleted,
        gmt_created: moment(steps[0]!.at),
        gmt_modified: moment(at),
      });
      for (const { no, state_id, branch, status, visit, returned } of state.tokens) {
        const entered_at = moment(times.get(`token ${no} ${visit}`) ?? at);
        moulds.tokens.push({ ...key, no, state_id, branch, status, visit, returned, entered_at });
      }
      for (const task of state.tasks) {
        const { token, assignee, on_behalf_of, ...same } = task;
        const opened = times.get(`task ${task.no}`) ?? at;
        const decided = times.get(`decided ${task.no}`) ?? opened;
        const seen = ['agree', 'refuse', 'other'].includes(task.status)
          ? moment(opened + (decided - opened) * 0.8)
          : null;
        moulds.tasks.push({
          ...key,
          ...same,
          token_no: token,
          assignee_id: assignee,
          on_behalf_id: on_behalf_of,
          opened_at: moment(opened),
          first_read_at: seen,
          decided_at: openStatus(task.status) ? null : moment(decided),
        });
      }
    }
  }
  return moulds;
}

const aDay = /\d{4}-\d\d-\d\d/g;

/** The parts of a form that a copy replaces: its words, and every day in it. */
function wordsIn(form: TicketState['form']) {
  const { place = null, description = null } = form;
  return { place, description, days: [...new Set(JSON.stringify(form).match(aDay) ?? [])] };
}

/** The most days that a form contains. */
export const mostDays = ({ tickets }: Moulds): number =>
  Math.max(0, ...tickets.map(({ days }) => (days as readonly string[]).length));

function noteTime(times: Map<string, number>, event: Event, at: number): void {
  if (event.type === 'token_entered') times.set(`token ${event.token} ${event.visit}`, at);
  if (event.type === 'task_opened') times.set(`task ${event.task.no}`, at);
  if (event.type === 'task_changed' && !openStatus(event.status)) times.set(`decided ${event.no}`, at);
}

function logRow(life: number, step: number, at: number, entry: LogEntry): Mould {
  const { actor, events, trace, ...same } = entry;
  const words = events.some((event) => event.type === 'titled' || event.type === 'field_changed');
  return {
    life,
    steps: step,
    ...same,
    at: moment(at),
    actor_id: actor,
    events: words ? JSON.stringify(events) : null,
    events_same: words ? null : events,
    trace,
  };
}
