import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { newsLevel } from '#modules/platform/messages/contract.ts';
import { closeTodo, newsOf, tellOf } from '#modules/platform/messages/service.ts';
import { nudge } from '#modules/platform/messages/service/nudges.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { namesFor } from '../store/names.ts';
import { delegatesFor } from '#modules/workflow/delegations/service.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import type { Version } from '#modules/workflow/workflows/service.ts';
import { halfDayText } from '../contract/leave.ts';
import { pageOf, announcementOf, type RecordRef } from '../records/records.ts';
import { aboutTickets, ticketNews } from './kinds.ts';
import { asking } from './withdraw-todos.ts';
import { urgesOf, urging } from './urging.ts';
import { callOut } from '../automation/calling-out.ts';
import { sendOut, type Said } from './sending-out.ts';
import { newsOf as newsAfter, type NewsEvent } from '../engine/words/news.ts';
import { noticeText, peopleInNotice } from '../engine/words/notice-text.ts';
import {
  busyIn,
  isRefused,
  mainStateId,
  type Event,
  type LogEntry,
  type Task,
  type TicketState,
} from '../engine/state.ts';

/** A completed command. */
interface Done {
  ticket: {
    id: number;
    sn: string;
    version: Pick<Version, 'workflow_id' | 'definition'>;
    record: RecordRef | null;
    /** `YYYY-MM-DD HH:mm:ss`. */
    created: string;
  };
  creatorName: string;
  before: TicketState;
  state: TicketState;
  log: readonly LogEntry[];
  /** Null for the system. */
  actor: { id: number; alias: string } | null;
  suggestion: string;
  /** Set if the command began it: nobody can have heard of it before. */
  fresh: boolean;
  /** People named in a comment. */
  mentioned?: readonly number[];
  /** The people reminded before their deadline. */
  early?: readonly number[];
}

/** The full title of each kind; for other kinds their standard heading precedes the ticket's title. */
const titles: Partial<
  Record<NewsEvent, (title: string, actor: string, at: string, unsettled?: string | null, back?: string) => string>
> = {
  BEGUN: (title, actor) => `${actor} 代您发起了：${title}`,
  RETURNED: (title, actor) => `${actor} 退回了：${title}`,
  SENT_BACK: (title, actor, at) => `${actor} 已退回，现在在“${at}”：${title}`,
  UNCONFIRMED: (title, actor) => `${actor} 没有确认办结：${title}`,
  APPROVED: (title, _actor, _at, unsettled) => `${unsettled ? `已通过，${unsettled}` : '已办结'}：${title}`,
  CLOSED: (title, actor) => `${actor} 关闭了：${title}`,
  REVOKED: (title, actor) => `${actor} 作废了：${title}`,
  WITHDRAWN: (title, actor) => `${actor} 收回了，您无需再处理：${title}`,
  TAKEN_BACK: (title, actor) => `${actor} 撤回了您代为发起的工单：${title}`,
  BACK: (title, actor, _at, _unsettled, back) => `${actor} 已于 ${back}提前返岗：${title}`,
  URGE: (title, actor) => `${actor} 催办：${title}`,
  CC: (title, actor) => `${actor} 抄送：${title}`,
  MENTION: (title, actor) => `${actor} 提到您：${title}`,
};
const asks: ReadonlySet<NewsEvent> = new Set(asking);

/** The reason for which administrators are asked for help. */
const stallIn = (event: Event) =>
  event.type === 'task_opened' && event.task.origin === 'stall' ? [event.task.reason] : [];
/** Describes the tasks of people who left, with their names. */
async function whatLeaversHad(tx: Db, state: TicketState, log: readonly LogEntry[]): Promise<string[]> {
  const entries = log.filter((entry) => entry.action === 'left');
  const had = entries.map(({ task_nos }) => state.tasks.filter((task) => task_nos.includes(task.no)));
  const has = entries.map(({ events }) =>
    events.flatMap((event) => (event.type === 'task_opened' ? [event.task] : [])),
  );
  const people = await peopleById(
    tx,
    [...had, ...has].flat().map((task) => task.assignee),
  );
  const names = (tasks: readonly Task[] = []) => tasks.map((task) => people.get(task.assignee)?.alias ?? '').join('、');
  return entries.map(({ suggestion }, index) => {
    const [from, to] = [names(had[index]), names(has[index])];
    return to ? `${suggestion}：${from} → ${to}` : `${suggestion}：${from}`;
  });
}

/**
 * Notifies people of a command on a ticket, and withdraws the messages of those with nothing left to do. Delegates of those who must act are notified
 * too.
 */
export async function notifyOfTicket(tx: Db, done: Done): Promise<void> {
  const { ticket, before, state, log, actor, suggestion } = done;
  const { definition, workflow_id } = ticket.version;
  const { news, withdrawn } = newsAfter(before, state, log, actor?.id ?? null, done);
  const where = { module: aboutTickets, objectId: ticket.id };
  // Nobody decides a ticket for its creator, and a delegate does not decide their own.
  const asked = news.flatMap(({ event, to }) => (asks.has(event) ? to : []));
  const others = [...withdrawn, ...asked].filter((person) => person !== state.creator);
  const delegates = await delegatesFor(tx, others, workflow_id, state.creator);
  const withDelegates = (people: readonly number[]) => [
    ...people,
    ...people.flatMap((person) => delegates.get(person) ?? []),
  ];
  const withdrawnPeople = withDelegates(withdrawn);
  const busy = busyIn(state);
  const free = withdrawnPeople.filter((person) => !busy.has(person));
  // Sent before the next queries, and awaited with them.
  const closing = withdrawn.length > 0 ? closeTodo(tx, { ...where, events: asking }, free) : undefined;
  closing?.catch(() => undefined);
  // Counts may change for everybody who had or has a part in it, in all their windows.
  const concerned = new Set([state.creator, ...(actor ? [actor.id] : []), ...withdrawnPeople]);
  for (const task of [...before.tasks, ...state.tasks]) concerned.add(task.assignee);
  const name = actor?.alias ?? '系统';
  const { unnamed: hidden, level, unsettled } = await announcementOf(tx, ticket.record);
  const title = hidden ?? state.title;
  const back = state.back_at === null ? '' : halfDayText(state.back_at);
  const stateId = mainStateId(state);
  const at = stateId === null ? '' : stateOf(definition, stateId).name;
  const names = await namesFor(tx, hidden === null ? peopleInNotice(definition, state) : []);
  const about = { sn: ticket.sn, creator: done.creatorName, state: at, gmt_created: ticket.created, names };
  const [stalled] = log.flatMap(({ events }) => events.flatMap(stallIn));
  const words = [suggestion && `${name}：${suggestion}`, ...(await whatLeaversHad(tx, state, log))];
  const inside = hidden === null ? [noticeText(definition, state, about), ...words] : [];
  if (stalled !== undefined) inside.push(`请流程管理员处理：${stalled}`);
  const content = [`${ticket.sn}　${definition.name}　${at}`, ...inside].filter(Boolean).join('\n');
  const webPath = pageOf(tx, ticket.record) ?? `/ticket/detail/${ticket.id}`;
  const said: Said[] = [];
  for (const { event, to } of news) {
    // If the application was refused for good, its applicant is told so, not that somebody closed it.
    const isRefusal = event === 'CLOSED' && isRefused(definition, state);
    const kind = ticketNews[event];
    const head = isRefusal ? `${name} 拒绝，未通过：${title}` : titles[event]?.(title, name, at, unsettled, back);
    const own = isRefusal ? newsLevel.important : kind.level;
    const people = asks.has(event) ? withDelegates(to) : to;
    const message = newsOf(
      kind,
      { id: ticket.id, title },
      {
        ...(head === undefined ? {} : { title: head }),
        content,
        page: webPath,
        level: Math.max(own, asks.has(event) ? level : 0),
        by: actor?.id ?? null,
        // The recipients already leave out the actor, who may, as somebody's delegate, have the next task.
        own: true,
        sender: null,
      },
    );
    await (event === 'URGE'
      ? nudge(tx, { ...message, ...urgesOf(ticket.id) }, people, urging)
      : tellOf(tx, done.fresh && news.length === 1 ? { ...message, again: 'always' } : message, people));
    said.push({ event, title: message.title, content, people });
    for (const person of people) concerned.add(person);
  }
  await closing;
  const shown = hidden === null ? state : { ...state, title: hidden, form: {} };
  await sendOut(tx, { ...ticket, webPath }, shown, at, said);
  await callOut(tx, ticket, shown, log);
  changed(tx, 'tickets', [...concerned]);
}
