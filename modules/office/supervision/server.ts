import { and, eq } from 'drizzle-orm';
import { implement, staged, type Context } from '#kernel/server/http/implement.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { processingSheetPdf, type SheetInput } from '#modules/platform/typesetting/service.ts';
import { itemState } from './contract/codes.ts';
import { superviseRuleCalls, superviseRules } from './contract/rules.ts';
import { opinions, progress, requests, sheets } from './contract/hung.ts';
import { items, subs } from './contract/supervise.ts';
import * as ends from './record/ends.ts';
import { itemDetail, listItems } from './record/rows.ts';
import { countSubs, listSubs, subsOf } from './record/sub-rows.ts';
import { demand, openItem } from './record/rights.ts';
import { settle } from './record/settle.ts';
import { askerOf, module, requireItem, requireSub, type Asker } from './record/visibility.ts';
import * as items_ from './record/write.ts';
import { cancelSub, changeSub, removeSub } from './subs/change.ts';
import * as hung from './subs/hung.ts';
import { speak } from './subs/opinions.ts';
import { check, opened, report } from './subs/progress.ts';
import { ask, decide, withdraw } from './subs/requests.ts';
import { itemPaper, sheetPaper } from './subs/papers.ts';
import { receiveSheet, writeSeveral, writeSheets } from './subs/sheets.ts';
import { subTable } from './tables.ts';
import { moreModules } from './statistics/server.ts';

type Cx = Context & { user: Viewer };
/** A handler that computes the asker first. */
const asks =
  <I, R>(work: (asker: Asker, input: I, cx: Cx) => Promise<R>) =>
  async (input: I, cx: Cx) =>
    work(await askerOf(cx.tx, cx.user), input, cx);
/** A handler of a step, with the id and the body. */
const does = <B, R>(work: (by: Cx, asker: Asker, id: number, body: B) => Promise<R>) =>
  asks((asker, { params, body }: { params: { id: number }; body: B }, cx) => work(cx, asker, params.id, body));
const lists = <Q, R>(work: (tx: Cx['tx'], asker: Asker, asked: Q, now: Date) => Promise<R>) =>
  asks((asker, { query }: { query: Q }, cx) => work(cx.tx, asker, query, cx.now));

/** A handler that sets a PDF before the call's transaction. */
const printed = (
  call: typeof items.pdf | typeof sheets.pdf,
  name: string,
  paper: (tx: Db, asker: Asker, id: number, now: Date) => Promise<SheetInput>,
) =>
  staged(call, {
    before: async ({ params }, { read, user, now }) =>
      processingSheetPdf(await paper(read, await askerOf(read, user), params.id, now), user.id),
    run: ({ prepared: bytes }) => ({ type: 'application/pdf', bytes, name: `${name}.pdf` }),
  });

const itemServer = implement(module, items, {
  list: lists(listItems),
  create: ({ body }, cx) => items_.create(cx, body),
  get: asks(async (asker, { params: { id } }, cx) => {
    await requireItem(cx.tx, asker, id);
    cx.afterReading((tx) => opened(tx, asker, id));
    return { value: await itemDetail(cx.tx, asker, id, cx.now) };
  }),
  update: does(items_.update),
  remove: asks(async (asker, { params: { id } }, cx) => {
    await items_.remove(cx, asker, id);
    return { id };
  }),
  pdf: printed(items.pdf, '督办事项单', itemPaper),
  issue: does((by, asker, id) => items_.issue(by, asker, id)),
  applyFinish: does(ends.applyFinish),
  finish: does(ends.finish),
  terminate: does(ends.terminate),
  reopen: does(ends.reopen),
});

const subServer = implement(module, subs, {
  list: lists(listSubs),
  unopen: lists((tx, asker, asked, now) => listSubs(tx, asker, { ...asked, unopen: true }, now)),
  count: asks((asker, _input, { tx }) => countSubs(tx, asker)),
  create: asks(async (asker, { body: { supervise_id, ...body } }, cx) => {
    const { item, actions, rule } = await openItem(cx.tx, asker, supervise_id);
    demand(actions, 'add_sub', item);
    const { id, title } = await items_.addSub(cx, item, body);
    cx.audit({ type: '督办任务', id, title, after: { 任务: title, 时限: body.due_at } });
    if (item.status > itemState.draft) await settle(cx, item.id, rule);
    return { id };
  }),
  get: asks(async (asker, { params: { id } }, cx) => {
    const { item } = await requireSub(cx.tx, asker, id);
    cx.afterReading((tx) => opened(tx, asker, item.id));
    return { value: (await subsOf(cx.tx, asker, and(eq(subTable.id, id))!, cx.now))[0]! };
  }),
  update: does(changeSub),
  cancel: does((by, asker, id, { reason }: { reason: string }) => cancelSub(by, asker, id, reason)),
  remove: asks(async (asker, { params: { id } }, cx) => {
    await removeSub(cx, asker, id);
    return { id };
  }),
});

export const supervisionModules = () => [
  itemServer,
  subServer,
  implement(module, progress, {
    list: lists(hung.listProgress),
    report: asks((asker, { body }, cx) => report(cx, asker, body)),
    check: does(check),
  }),
  implement(module, requests, {
    list: lists(hung.listRequests),
    create: asks((asker, { body }, cx) => ask(cx, asker, body)),
    check: does(decide),
    withdraw: does((by, asker, id) => withdraw(by, asker, id)),
  }),
  implement(module, opinions, {
    list: lists(hung.listOpinions),
    create: asks((asker, { body }, cx) => speak(cx, asker, body)),
  }),
  implement(module, sheets, {
    list: lists(hung.listSheets),
    issue: does(writeSheets),
    several: asks((asker, { body }, cx) => writeSeveral(cx, asker, body)),
    receive: does(receiveSheet),
    pdf: printed(sheets.pdf, '督办单', sheetPaper),
  }),
  implement(module, superviseRuleCalls, ruleHandlers(superviseRules)),
  ...moreModules,
];
