import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { forbidden, invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { isBeingApproved } from '#modules/workflow/records/service.ts';
import { dueBy, handlersOf } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { dueNotChangeable } from '../contract/refusals.ts';
import { secretLevel } from '../contract/shapes.ts';
import { keepEdit } from '../edits/keeping.ts';
import { docs } from '../record/record.ts';
import { isHandling } from '../record/rows.ts';
import { dueAfter } from '../rules/facts.ts';
import { alwaysWrong, receiving } from '../rules/rules.ts';
import { isOffice } from '../visibility/office.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentNews } from './urging.ts';

interface Asked {
  doc: Stored;
  ticketId: number;
  user: Viewer;
  actions: readonly string[];
  /** Null resets it to the level's deadline. */
  due: string | null;
  reason: string;
  now: Date;
}

/** A deadline in words. */
const said = (due: Date | null) => (due === null ? '按紧急程度计算' : momentText(due).slice(0, 16));

/**
 * Sets or moves the deadline of an incoming letter in review, by the office or its handler. Moving one that somebody set requires a reason.
 * Returns the effective deadline.
 */
export async function changeDue(tx: Db, asked: Asked): Promise<string | null> {
  const { doc, ticketId, user, actions, reason, now } = asked;
  if (!isOffice(user) && !isHandling(actions)) throw forbidden('调整办理时限');
  if (doc.doc_kind !== receiving) throw dueNotChangeable('只有收文可以设定时限，其他公文按紧急程度计算');
  if (!isBeingApproved(doc) || doc.submitted_at === null)
    throw dueNotChangeable(`公文“${actState.label(doc.act_state)}”`);
  const wanted = asked.due === null ? null : momentOf(asked.due);
  const due_asked = wanted && wanted.toISOString();
  const field = { field: 'due_at', label: '办理时限' };
  const before = doc.due_asked === null ? null : momentOf(doc.due_asked);
  if (wanted?.getTime() === before?.getTime()) throw dueNotChangeable(`时限已经是“${said(before)}”`);
  const errors = alwaysWrong({ ...doc, due_asked }, { allowSecret: true });
  if (wanted !== null && wanted <= now) errors.push({ ...field, msg: `${said(wanted)} 已经过去，请填写以后的时间` });
  if (before !== null && reason === '')
    errors.push({ field: 'reason', label: '理由', msg: `原来的时限是 ${said(before)}，请写明为什么调整` });
  const wrong = errors.filter((one) => one.field === 'due_at' || one.field === 'reason');
  if (wrong.length > 0) throw invalid(wrong);
  const due = await dueAfter(tx, momentOf(doc.submitted_at), { ...doc, due_asked });
  const after = await docs.set(tx, doc, { due_asked, due_at: due });
  await dueBy(tx, ticketId, due);
  await keepEdit(tx, { before: doc, after, user, why: reason });
  const head = `办理时限${before === null ? '设定' : '调整'}为 ${said(wanted)}`;
  const content = doc.secret_level > secretLevel.none || reason === '' ? '' : `${user.alias}：${reason}`;
  const to = await handlersOf(tx, ticketId);
  await announce(tx, documentNews.LEVEL, { doc, ticketId }, { head, content, by: user.id }, to);
  return after.due_at;
}
