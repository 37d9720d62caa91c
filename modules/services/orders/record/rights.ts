import { scopeOf, holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { daysLater, momentOf } from '#kernel/contract/moment.ts';
import { isErasable, isWithAuthor } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { feeState, orderStage, standsAs } from '../contract/codes.ts';
import { list } from '../contract/orders.ts';
import { notNow } from '../contract/refusals.ts';
import type { Order } from './record.ts';

/** Days after the repair within which an order can be rated. */
export const ratingDays = 30;
/** Reporters who gave this rating or a lower one are called back. */
export const lowScore = 2;
const names = {
  edit: '修改',
  delete: '删除',
  accept: '受理',
  assign: '派单',
  refuse: '退回',
  take: '接单',
  release: '退单',
  start: '到场',
  progress: '登记进展',
  hang: '挂起',
  resume: '恢复',
  material: '登记材料',
  fee: '申请费用',
  finish: '完工',
  confirm: '确认',
  rework: '返工',
  withdraw: '撤回',
  close: '关闭',
  merge: '合并',
  comment: '评价',
  visit: '回访',
} as const;
export type OrderAction = keyof typeof names;

/** True if the user works at the desk and their scope reaches the order. */
export function isDesk(user: Viewer, row: Pick<Order, 'dept_id'>): boolean {
  if (!holds(user, 'chuli', list)) return false;
  const scope = scopeOf(user, 'chuli', list);
  return scope.all || (row.dept_id !== null && scope.depts.has(row.dept_id));
}
export const isReporter = (user: Pick<Viewer, 'id'>, row: Order) => row.reporter_id === user.id;
const owns = (user: Viewer, row: Order) => row.creator_id === user.id || isReporter(user, row);
/** True if the user is involved in an order: at the desk, as handler or as reporter. */
export const hasPart = (user: Viewer, row: Order): boolean =>
  isDesk(user, row) || row.handler_id === user.id || owns(user, row);
export const ratable = (row: Order, now: Date) =>
  row.finish_at === null || now < daysLater(momentOf(row.finish_at), ratingDays);

/** The actions open on an order now, for pages and handlers alike. `offered` are the actions of its ticket for the user. */
export function actionsOf(row: Order, user: Viewer, offered: readonly string[], now: Date): OrderAction[] {
  const { stage } = row;
  const [isAtDesk, mine, reports, owner] = [
    isDesk(user, row),
    row.handler_id === user.id,
    isReporter(user, row),
    owns(user, row),
  ];
  const among = (...those: number[]) => those.includes(stage);
  const pooled = stage === orderStage.assigned && row.handler_id === null && offered.includes('accept');
  const worked = mine || isAtDesk;
  const may: Record<OrderAction, boolean> = {
    edit: isWithAuthor(row) ? row.creator_id === user.id : isAtDesk && among(10, 20, 30, 40, 50),
    delete: isWithAuthor(row) && isErasable(row) && row.creator_id === user.id,
    accept: isAtDesk && stage === orderStage.reported && row.ticket_id === null,
    assign: isAtDesk && among(10, 20, 30, 40),
    refuse: isAtDesk && stage === orderStage.reported && row.ticket_id !== null,
    take: stage === orderStage.assigned && (mine || pooled),
    release: mine && among(20, 30, 40) && row.fee_state !== feeState.asked,
    start: mine && stage === orderStage.taken,
    progress: worked && among(30, 40, 50),
    hang: worked && among(30, 40) && row.fee_state !== feeState.asked,
    resume: worked && stage === orderStage.hung,
    material: worked && among(30, 40, 50, 60),
    fee: mine && among(30, 40) && row.fee_state !== feeState.asked,
    finish: worked && row.handler_id !== null && among(30, 40) && row.fee_state !== feeState.asked,
    confirm: stage === orderStage.finished && (reports || (isAtDesk && row.reporter_id === null)),
    rework: stage === orderStage.finished && (reports || (isAtDesk && row.reporter_id === null)),
    withdraw: owner && among(10, 20) && row.accept_at === null && row.ticket_id !== null,
    close:
      (isAtDesk && among(10, 20, 30, 40, 50, 60)) ||
      (isWithAuthor(row) && row.creator_id === user.id && row.act_state !== actState.draft),
    merge: isAtDesk && among(10, 20, 30, 40, 50),
    comment:
      reports &&
      (among(60, 70) || (stage === orderStage.rated && row.added_score === null)) &&
      ratable(row, now) &&
      row.handler_id !== user.id,
    visit:
      isAtDesk && among(70, 80) && (row.auto_confirmed || Math.min(row.score ?? 5, row.added_score ?? 5) <= lowScore),
  };
  return (Object.keys(may) as OrderAction[]).filter((key) => may[key]);
}
export function requireAction(row: Order, actions: readonly OrderAction[], wanted: OrderAction): void {
  if (!actions.includes(wanted)) throw notNow(row.sn, standsAs(row), names[wanted], actions);
}
