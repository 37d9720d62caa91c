import { dayOf, daysLater, momentText } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { announce } from '#modules/platform/messages/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { endTicket } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from '../contract/codes.ts';
import { activityRules } from '../contract/rules.ts';
import type { activities as calls, activityCalls } from '../contract/activities.ts';
import * as refused from '../contract/refusals.ts';
import { ActivityInput } from '../contract/shapes.ts';
import { missingSafety } from '../engine/judge.ts';
import { changes } from './changes.ts';
import { assess, besideOf, type Draft } from './assess.ts';
import { freeRoom } from './hold.ts';
import { activityNews, aliasOf, office } from './news.ts';
import { activities, isOffice, tellCancelled, type ActivityViewer, type Stored } from './record.ts';
import { refuseGone, writeBeside } from './writing.ts';

const { ongoing, finished } = actState;
const isOwn = ({ creator_id, undertaker }: Stored, { user }: ActivityViewer) =>
  [creator_id, undertaker].includes(user.id);
const isHead = ({ dept_id }: Stored, { heads }: ActivityViewer) => dept_id !== null && heads.includes(dept_id);

/** The status in which each act is possible, and who may do it. */
const acts = {
  amend: {
    name: '修改',
    who: '申报人或承办人',
    at: (row: Stored) => isRunning(row) && row.activity_status < activityStatus.summarised,
    by: isOwn,
  },
  change: {
    name: '变更',
    who: '申报人',
    at: (row: Stored) => row.act_state === finished && row.activity_status === activityStatus.coming,
    by: (row: Stored, { user }: ActivityViewer) => row.creator_id === user.id,
  },
  cancel: {
    name: '取消',
    who: '申报人、部门负责人或党政办',
    at: (row: Stored) => isRunning(row) && row.activity_status <= activityStatus.running,
    by: (row: Stored, viewer: ActivityViewer) =>
      row.creator_id === viewer.user.id || isHead(row, viewer) || isOffice(viewer.user),
  },
  summarise: {
    name: '提交总结',
    who: '申报人或承办人',
    at: (row: Stored) => row.activity_status === activityStatus.toSummarise,
    by: isOwn,
  },
  return_summary: {
    name: '退回总结',
    who: '党政办',
    at: (row: Stored) => row.activity_status === activityStatus.summarised && !row.was_returned,
    by: (_row: Stored, viewer: ActivityViewer) => isOffice(viewer.user),
  },
};
const isRunning = ({ act_state }: Stored) => act_state === ongoing || act_state === finished;
type Act = keyof typeof acts;
/** The acts that are open to the viewer besides the actions of the ticket. */
export const actsOn = (row: Stored, viewer: ActivityViewer, { change_asked }: { change_asked: boolean }): Act[] =>
  (Object.keys(acts) as Act[]).filter(
    (act) => acts[act].at(row) && acts[act].by(row, viewer) && !(act === 'change' && change_asked),
  );

const stateOf = (row: Stored) => (isRunning(row) ? activityStatus.label(row.activity_status) : activities.stateOf(row));
/** Locks an activity and refuses if the viewer may not do the act now. */
export async function openFor({ tx, user }: Writing, id: number, act: Act) {
  const viewer = await activities.viewerOf(tx, user);
  const row = await activities.requireForUpdate(tx, viewer, id);
  const { name, who, at, by } = acts[act];
  if (!by(row, viewer)) throw refused.notYours(name, who);
  if (act === 'return_summary' && row.was_returned) throw refused.returnedOnce();
  if (!at(row)) throw refused.notNow(row.title, stateOf(row), name);
  return { row, viewer };
}
const log = ({ audit }: Writing, before: Stored, act: string, after: Record<string, unknown>) =>
  audit({
    type: '活动',
    id: before.id,
    title: before.title,
    before: { 状态: stateOf(before) },
    after: { 办理: act, ...after },
  });

/** Refuses to empty a field that the rules require: its approvers agreed to a declaration that had it. */
async function refuseEmptied({ tx, now }: Writing, row: Stored, given: Record<string, unknown>): Promise<void> {
  const { verdict } = await assess(tx, { ...row, ...given, ...(await besideOf(tx, row.id)) } as Draft, { now });
  const safety = row.judged?.verdict.need_safety ? missingSafety({ ...row, ...given }) : [];
  const said = new Map([...safety, ...verdict.missing].map((one) => [one.field, one]));
  const missing = [...said.values()].filter(({ field }) => field in given);
  if (missing.length > 0) throw invalid(missing);
}

/** Notifies the approvers of the safety plan when the safety officer changes. */
async function tellOfSafety({ tx, user }: Writing, row: Stored, after: Stored): Promise<void> {
  const keys = ['safety_officer', 'safety_phone'] as const;
  if (!row.judged?.verdict.need_safety || keys.every((key) => row[key] === after[key])) return;
  const who = (await aliasOf(tx, after.safety_officer))?.alias ?? '';
  const content = `安全负责人现为${who}，电话 ${after.safety_phone}。请核对。`;
  await announce(tx, activityNews.ACTIVITY_CHANGE, after, { head: '安全负责人变更', content, by: user.id }, [
    { role: 'safety' },
    after.safety_officer,
  ]);
}

/** Changes the fields that need no new round. */
export async function amend(context: Writing, id: number, { version, ...sent }: BodyOf<typeof calls.update>) {
  const { row, viewer } = await openFor(context, id, 'amend');
  checkVersion('活动', row, version, row);
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const { safety_officer } = sent;
  if (safety_officer !== row.safety_officer) await refuseGone(context.tx, { safety_officer });
  await refuseEmptied(context, row, given);
  const after = await activities.set(context.tx, row, given);
  await tellOfSafety(context, row, after);
  await writeBeside(context.tx, after, {}, viewer, row);
  const facts = (of: Stored) =>
    titled(ActivityInput, Object.fromEntries(Object.entries(of).filter(([key]) => key in given)));
  context.audit({ type: '活动', id, title: row.title, before: facts(row), after: facts(after) });
  return { id };
}

/** Cancels the activity: frees its room and notifies everybody who knew of it. */
export async function cancel(context: Writing, id: number, reason: string) {
  const { tx, user, now } = context;
  const { row } = await openFor(context, id, 'cancel');
  log(context, row, '取消', { 原因: reason });
  if (row.act_state === ongoing) {
    await endTicket(context, row.ticket_id!, reason);
    return { id };
  }
  const pending = (await changes.pendingOf(tx, [id])).get(id);
  if (pending?.ticket_id) await endTicket(context, pending.ticket_id, reason);
  await freeRoom(tx, row, row.activity_status === activityStatus.running ? momentText(now) : undefined);
  const after = await activities.set(tx, row, { activity_status: activityStatus.cancelled, cancel_reason: reason });
  await tellCancelled(tx, after, user.id, row);
  return { id };
}

export async function summarise(
  context: Writing,
  id: number,
  { version, ...said }: BodyOf<typeof activityCalls.summarise>,
) {
  const { tx, user, now } = context;
  const { row } = await openFor(context, id, 'summarise');
  checkVersion('活动', row, version, row);
  if (!said.no_photos && (await tx.services.product.albums.photosOf(tx, { module: 'activities', id })) === 0)
    throw refused.noPhotos(row.title);
  const set = {
    ...said,
    activity_status: activityStatus.summarised,
    summary_return: '',
    summarised_at: now.toISOString(),
  };
  await activities.set(tx, row, set);
  log(context, row, '提交总结', { 实到: `校内 ${said.actual_in} 人，校外 ${said.actual_out} 人` });
  const news = { content: '可据此组织新闻报道。', by: user.id };
  if (row.media_report) await announce(tx, activityNews.ACTIVITY_SUMMARY, row, news, [office]);
  return { id };
}

/** Returns a summary, once, with as much time as the first one had. */
export async function returnSummary(context: Writing, id: number, reason: string) {
  const { tx, user, now } = context;
  const { row } = await openFor(context, id, 'return_summary');
  const { value: rule } = await readRules(tx, activityRules);
  const summary_due = dayOf(daysLater(now, rule.summary_days));
  await activities.set(tx, row, {
    activity_status: activityStatus.toSummarise,
    summary_return: reason,
    was_returned: true,
    summary_due,
  });
  log(context, row, '退回总结', { 原因: reason });
  const content = `原因：${reason}。请在 ${summary_due} 前补充后重新提交。`;
  await announce(tx, activityNews.ACTIVITY_SUMMARY_BACK, row, { content, by: user.id }, [
    row.undertaker,
    row.creator_id,
  ]);
  return { id };
}
