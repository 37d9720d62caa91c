import { eq, sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { remember } from '#modules/audit/service.ts';
import { peopleById } from '#modules/people/service.ts';
import {
  approvalsOf,
  isSubmitted,
  ticketViewerFor,
  sendTicket,
  startFor,
  type CommandContext,
  type RecordModule,
} from '#modules/tickets/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { statuses, type PaperApproval } from '../contract/list.ts';
import { approvalClosed, beingApproved, otherFlow, pastApproval, withSender } from '../contract/refusals.ts';
import { paperStatus } from '../contract/rows.ts';
import { checkReady, putInForce, standing, type Stored } from './in-force.ts';
import type { PaperViewer } from '../categories/visibility.ts';
import { categoryTable, paperTable } from '../tables.ts';

const module = 'folders';
const { draft, returned, withdrawn, ongoing, finished } = actState;
const withAuthor: readonly (number | null)[] = [draft, returned, withdrawn];

/** The workflow that decides whether a paper of a category is published: its own, else that of the nearest above; null for none. */
export async function approvalFlow(tx: Db, categoryId: number): Promise<number | null> {
  const [found] = await namedRows<{ flow: number }>(
    tx,
    sql`with recursive up as (
      select parent_id, workflow_id, 1 as level from folder_category where id = ${categoryId}
      union all select c.parent_id, c.workflow_id, level + 1 from folder_category c join up on c.id = up.parent_id)
    select workflow_id flow from up where workflow_id is not null order by level limit 1`,
  );
  return found?.flow ?? null;
}

/** The workflow that decides whether a paper is published; a revision asks at least for what its old version asks for. */
export async function flowOf(
  tx: Db,
  { category_id: categoryId, replace_id: replaceId }: Pick<Stored, 'category_id' | 'replace_id'>,
) {
  const own = await approvalFlow(tx, categoryId);
  if (own !== null || replaceId === null) return own;
  const [old] = await tx.select().from(paperTable).where(eq(paperTable.id, replaceId));
  return old ? approvalFlow(tx, old.category_id) : null;
}

/** What was approved, or is being so, is not moved to where another workflow, or none, would have decided. */
export async function refuseOtherFlow(tx: Db, paper: Stored, categoryId: number): Promise<void> {
  if (categoryId === paper.category_id || (paper.status === paperStatus.draft && paper.ticket_id === null)) return;
  if ((await approvalFlow(tx, categoryId)) !== (await approvalFlow(tx, paper.category_id))) throw otherFlow();
}

/** Whether what a paper in force says was approved, or would have to be: then it is changed by a revision alone. */
export const isApproved = async (tx: Db, paper: Stored): Promise<boolean> =>
  paper.status !== paperStatus.draft && (paper.ticket_id !== null || (await flowOf(tx, paper)) !== null);

type Asking = Pick<Stored, 'ticket_id' | 'act_state'>;
/** Whether a ticket of a paper lies with whoever sent it: saved, returned or taken back. */
export const isWithAuthor = ({ ticket_id: ticketId, act_state: now }: Asking) =>
  ticketId !== null && withAuthor.includes(now);
export const isBeingApproved = ({ act_state: now }: Pick<Stored, 'act_state'>) => now === ongoing;

/** Nothing of a paper is changed while it is read by those who approve it. */
export function refuseWhileApproved(paper: Pick<Stored, 'act_state' | 'status'>): void {
  if (paper.status === paperStatus.draft && isBeingApproved(paper)) throw beingApproved();
}

/** A draft that came back is changed and deleted by whoever has its ticket. */
export async function refuseOthers(tx: Db, user: PaperViewer, paper: Stored, action: 'save' | 'delete'): Promise<void> {
  if (paper.status !== paperStatus.draft || !isWithAuthor(paper)) return;
  const approval = (await approvalsOf(tx, [paper.ticket_id!], await ticketViewerFor(tx, user, undefined))).get(
    paper.ticket_id!,
  );
  if (!approval?.actions.includes(action)) throw withSender(approval?.participant_info.participant_alias ?? '');
}

/** Sends a draft to be approved, for the first time or again; answers whether that is asked of it at all. */
export async function askApproval(context: CommandContext, paper: Stored): Promise<boolean> {
  const words = { submit: true, suggestion: '', fields: { title: paper.title } };
  if (isWithAuthor(paper)) {
    await sendTicket(context, paper.ticket_id!, words);
    return true;
  }
  if (paper.ticket_id !== null) throw approvalClosed();
  const workflow_id = await flowOf(context.tx, paper);
  if (workflow_id === null) return false;
  await startFor(context, { module, id: paper.id }, { workflow_id, ...words });
  return true;
}

/** A draft that came back keeps the title of its ticket true. */
export async function keepTitle(context: CommandContext, before: Stored, after: Stored): Promise<void> {
  if (!isWithAuthor(after) || before.title === after.title) return;
  await sendTicket(context, after.ticket_id!, { submit: false, suggestion: '', fields: { title: after.title } });
}

/** Papers, as the tickets that approve them see them: with its end a paper is in force. */
export const paperRecords: RecordModule = {
  name: '制度文件',
  fills: ['title'],
  async uses(tx, { id }) {
    const found = await tx
      .select({ name: categoryTable.name })
      .from(categoryTable)
      .where(eq(categoryTable.workflow_id, id))
      .orderBy(categoryTable.id);
    return found.map(({ name }) => `分类“${name}”`);
  },
  page: (id) => `/folder/detail/${id}`,
  inSavepoint: true,
  async guard(tx, id) {
    const [paper] = await tx.select({ status: paperTable.status }).from(paperTable).where(eq(paperTable.id, id));
    if (!paper || paper.status === paperStatus.draft) return () => null;
    const over = pastApproval(statuses[paper.status as keyof typeof statuses]);
    return () => over;
  },
  async onTicketEvent(tx, id, turn) {
    const { ticketId, state, now } = turn;
    const [paper] = await tx
      .update(paperTable)
      .set(state.deleted ? { ticket_id: null, act_state: null } : { ticket_id: ticketId, act_state: state.act_state })
      .where(eq(paperTable.id, id))
      .returning();
    if (paper?.status !== paperStatus.draft) return;
    if (isSubmitted(turn)) await checkReady(tx, paper, now);
    if (state.act_state !== finished) return;
    const old = await putInForce(tx, paper, now);
    await rememberConsent(tx, { paper, old, by: turn.by });
  },
};

/** The action's own entry in the operation log tells of the ticket; this one of what it did to the papers. */
async function rememberConsent(
  tx: Db,
  { paper, old, by }: { paper: Stored; old: Stored | null; by: number | null },
): Promise<void> {
  const user = by === null ? null : ((await peopleById(tx, [by])).get(by) ?? null);
  await remember(tx, {
    module,
    action: '审批通过后发布',
    method: '',
    path: '',
    user,
    origin: { ip: '', userAgent: '', traceId: '' },
    result: codes.ok,
    milliseconds: 0,
    changes: [...(old ? [standing(old, paperStatus.revised)] : []), standing(paper, paperStatus.inForce)],
  });
}

/** How far the approval of drafts has come, and what the person may do with its ticket, by paper; for whoever sees the papers. */
export async function approvalOf(
  tx: Db,
  user: PaperViewer,
  papers: readonly { id: number; status: number; ticket_id: number | null }[],
): Promise<Map<number, PaperApproval & { may: readonly string[] }>> {
  const asked = papers.flatMap(({ id, status, ticket_id: ticketId }) =>
    status === paperStatus.draft && ticketId !== null ? [{ id, ticketId }] : [],
  );
  if (asked.length === 0) return new Map();
  const tickets = asked.map((one) => one.ticketId);
  const known = await approvalsOf(tx, tickets, await ticketViewerFor(tx, user, undefined));
  return new Map(
    asked.flatMap(({ id, ticketId }) => {
      const ticket = known.get(ticketId);
      if (!ticket) return [];
      const { act_state, act_state_name, state_name, participant_info, actions: may } = ticket;
      const waits_for = participant_info.participant_alias;
      return [[id, { act_state, act_state_name, state_name, waits_for, may }] as const];
    }),
  );
}
