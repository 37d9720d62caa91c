import { expect, test } from 'vitest';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { newsOf } from './words/news.ts';
import { newTicket, type LogAction, type LogEntry, type Task, type TicketState } from './state.ts';

const [creator, head, leader, clerk] = [1, 2, 3, 4];
const task = (no: number, assignee: number, status: Task['status'] = 'todo'): Task => ({
  no,
  token: 1,
  visit: 1,
  state_id: 2,
  round: 1,
  assignee,
  origin: 'assign',
  origin_no: null,
  on_behalf_of: null,
  group_seq: no,
  group_no: 0,
  mode: null,
  answers: false,
  status,
  pooled: false,
  transition_id: null,
  reason: '',
});
const ticket = (tasks: Task[], act_state: TicketState['act_state'] = actState.ongoing): TicketState => ({
  ...newTicket(creator, 1),
  act_state,
  tasks,
});
const row = (action: LogAction, events: LogEntry['events'] = []): LogEntry => ({
  seq: 1,
  actor: null,
  action,
  intervene_type: 0,
  transition_id: null,
  from_state_id: 2,
  to_state_id: 2,
  suggestion: '',
  task_nos: [],
  events,
  trace: [],
});

test('the next handler is notified, and nobody who is done keeps an open task', () => {
  const before = ticket([task(1, head)]);
  const after = ticket([task(1, head, 'agree'), task(2, leader)]);
  expect(newsOf(before, after, [row('handle')], head)).toEqual({
    news: [{ event: 'TODO', to: [leader] }],
    withdrawn: [head],
  });
});

test('nobody is notified of their own action, not even when it leaves the ticket with them', () => {
  const before = ticket([task(1, head)]);
  const after = ticket([task(1, head, 'agree'), task(2, head)]);
  expect(newsOf(before, after, [row('handle')], head)).toEqual({ news: [], withdrawn: [] });
});

test('the creator is notified of a return as a return rather than a to-do, and of the end', () => {
  const before = ticket([task(1, head)]);
  const back = ticket([task(1, head, 'refuse'), task(2, creator)], actState.returned);
  expect(newsOf(before, back, [row('handle')], head).news).toEqual([{ event: 'RETURNED', to: [creator] }]);
  const done = ticket([task(1, head, 'agree')], actState.finished);
  expect(newsOf(before, done, [row('handle')], head).news).toEqual([{ event: 'APPROVED', to: [creator] }]);
});

test('the person who started a ticket for its creator hears of a return and a withdrawal, and is asked nothing', () => {
  const begun = { ...ticket([task(1, head)]), seq: 1, authors: [clerk], begun_by: clerk };
  const back = { ...begun, tasks: [task(1, head, 'refuse'), task(2, creator)], act_state: actState.returned };
  expect(newsOf(begun, back, [row('state')], head).news).toEqual([
    { event: 'RETURNED', to: [creator] },
    { event: 'SENT_BACK', to: [clerk] },
  ]);
  const withdrawn = { ...begun, tasks: [task(1, head, 'cancelled')], act_state: actState.withdrawn };
  expect(newsOf(begun, withdrawn, [row('retreat')], creator).news).toEqual([
    { event: 'TAKEN_BACK', to: [clerk] },
    { event: 'WITHDRAWN', to: [head] },
  ]);
});

test('a finish that is not confirmed is told to the applicant, the writer and those asked beside, and not as a return', () => {
  const asked = {
    ...ticket([task(1, head), task(2, leader)], actState.finishAsked),
    seq: 1,
    authors: [clerk],
    begun_by: clerk,
  };
  const tasks = [task(1, head, 'refuse'), task(2, leader, 'cancelled')];
  const left = { type: 'token_entered', token: 1, state_id: 3, visit: 2, branch: '', returned: true } as const;
  const refused = { ...row('handle', [left]), task_nos: [1] };
  expect(newsOf(asked, { ...asked, act_state: actState.finished, tasks }, [refused], head).news).toEqual([
    { event: 'UNCONFIRMED', to: [creator, clerk, leader] },
  ]);
});

test('the revocation of a finished ticket is told to everybody who decided it or got a copy, except the one who revoked it', () => {
  const tasks = [task(1, head, 'agree'), task(2, leader, 'cancelled')];
  const done = { ...ticket(tasks, actState.finished), copied: { 0: [clerk] } };
  const revoked = { ...done, act_state: actState.closed, voided: true };
  expect(newsOf(done, revoked, [row('revoke')], creator).news).toEqual([{ event: 'REVOKED', to: [head, clerk] }]);
});

test('an early return from leave is told to all who approved it or got a copy', () => {
  const done = { ...ticket([task(1, head, 'agree')], actState.finished), copied: { 0: [clerk] } };
  const back = { ...done, back_at: '2026-11-26 12:00:00' };
  expect(newsOf(done, back, [row('end_leave')], creator).news).toEqual([{ event: 'BACK', to: [head, clerk] }]);
});

test('people whose task was cancelled by a withdrawal or a closing are told why, the other signers of a vote are not', () => {
  const before = ticket([task(1, head), task(2, leader)]);
  const withdrawn = ticket([task(1, head, 'cancelled'), task(2, leader, 'cancelled')], actState.withdrawn);
  expect(newsOf(before, withdrawn, [row('retreat')], creator).news).toEqual([
    { event: 'WITHDRAWN', to: [head, leader] },
  ]);
  const voted = ticket([task(1, head, 'agree'), task(2, leader, 'cancelled'), task(3, clerk)]);
  expect(newsOf(before, voted, [row('handle')], head)).toEqual({
    news: [{ event: 'TODO', to: [clerk] }],
    withdrawn: [head, leader],
  });
});

test('an urge goes to all current handlers, the system’s as a timeout, a copy to those copied, a mention to those named', () => {
  const now = ticket([task(1, head), task(2, leader)]);
  expect(newsOf(now, now, [row('urge')], creator).news).toEqual([{ event: 'URGE', to: [head, leader] }]);
  expect(newsOf(now, now, [row('urge')], null).news).toEqual([{ event: 'TIMEOUT', to: [head, leader] }]);
  const copied = row('cc', [{ type: 'copied', state_id: 0, people: [clerk, creator] }]);
  expect(newsOf(now, now, [copied], creator).news).toEqual([{ event: 'CC', to: [clerk] }]);
  const comment = row('comment', [{ type: 'copied', state_id: 0, people: [clerk] }]);
  expect(newsOf(now, now, [comment], creator, { mentioned: [clerk, head] }).news).toEqual([
    { event: 'MENTION', to: [clerk, head] },
  ]);
});
