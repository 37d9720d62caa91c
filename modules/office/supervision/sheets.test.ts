import { afterAll, expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { typedSheet } from '#kernel/server/testing/sheets/typed-sheet.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { waiting as waitingCalls } from '#modules/platform/waits/contract.ts';
import { bulletinCalls, superviseStatistics } from './contract/statistics.ts';
import { opinionType } from './contract/codes.ts';
import { superviseImport } from './contract/import.ts';
import { answerNeeded } from './contract/refusals.ts';
import { raise, raisedFrom } from './service.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, colleague, head, librarian, stranger, principal, sql } = house;
const { get, run, report, reach, put, part, sub, items, subs, progress, sheets, requests, opinions } = house;
afterAll(app.close);

const ask = (sub_id: number, kind: number, more: object = {}, who = staff) =>
  who.ask(requests.create, { body: { sub_id, kind, reason: '材料未到', ...more } as never });
const decide = (id: number, result: 1 | 2, more: object = {}, who = clerk) =>
  put(who, requests.check, id, { result, opinion: '知道了', ...more });
const task = async (name: string) => {
  const found = app.services.product.tasks().find((one) => one.name === name)!;
  await found.run({} as never, { now: new Date() } as never);
};

test('a sheet reaches exactly the people listed, is numbered without gaps, and is signed for by them only', async () => {
  const { id, subs: ids } = await run({
    subs: [sub(), sub({ title: '图书馆的', owner: stranger.userId, dept: house.elsewhere })],
  });
  const send = (sub_ids: number[]) =>
    clerk.ask(sheets.issue, {
      params: { id },
      body: { colour: 3, sub_ids, content: '逾期未办，请说明', answer_by: inDays(3) } as never,
    });
  const answers = await Promise.all([send([ids[0]!]), send([ids[0]!]), send(ids), send([999_999])]);
  expect(answers.map((answer) => answer.code)).toEqual([0, 0, 0, 4004]);
  const { rows } = await sql('select seq from supervise_sheet order by seq');
  expect(rows.map((row: { seq: number }) => row.seq)).toEqual(rows.map((_row, at) => at + 1));
  const [row] = (await staff.get(sheets.list, { query: { scope: 'unread', supervise_id: id, colour: 3 } })).value;
  expect((await stranger.get(sheets.list, { query: { supervise_id: id, colour: 3 } })).total).toBe(1);
  expect(await house.news(librarian, '督办单：图书馆的')).toHaveLength(1);
  expect(await house.news(colleague, '督办单')).toHaveLength(0);
  expect((await put(clerk, sheets.receive, row!.id, {})).code).toBe(4010);
  expect((await put(stranger, sheets.receive, row!.id, {})).code).toBe(4004);
  const signed = await Promise.all([
    put(staff, sheets.receive, row!.id, { answer: '马上办' }),
    put(head, sheets.receive, row!.id, { answer: '已安排' }),
  ]);
  expect(signed.map((answer) => answer.code).toSorted((a, b) => b - a)).toEqual([4010, 0]);
  const paper = await staff.fetch(`/api/supervise/sheet/${row!.id}/pdf/`);
  expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await (await stranger.fetch(`/api/supervise/sheet/${row!.id}/pdf/`)).json()) as object).toMatchObject({
    code: 4004,
  });
});

test('an unanswered sheet moves to the new owner of its part, who is told and answers; the former owner is asked no more', async () => {
  const {
    id,
    subs: [one],
  } = await run({ subs: [sub({ title: '转交的' })] });
  const body = { colour: 2, sub_ids: [one!], content: '请说明进展', answer_by: inDays(3) };
  const { code } = await clerk.ask(sheets.issue, { params: { id }, body: body as never });
  expect(code).toBe(0);
  const waits = async (who: typeof staff) =>
    (await who.get(waitingCalls.list, { query: { per_page: 100 } as never })).value.filter(({ title }) =>
      title.includes('督办单：转交的'),
    ).length;
  expect([await waits(staff), await waits(stranger)]).toEqual([1, 0]);
  expect((await put(clerk, subs.update, one!, { owner: stranger.userId })).code).toBe(0);
  expect([await waits(staff), await waits(stranger)]).toEqual([0, 1]);
  expect(await house.news(staff, '督办单：转交的')).toEqual([]);
  expect(await house.news(stranger, '督办单：转交的')).toHaveLength(1);
  const [sheet] = (await stranger.get(sheets.list, { query: { scope: 'unanswered', supervise_id: id } })).value;
  expect(sheet).toMatchObject({ owner_info: { id: staff.userId }, actions: ['receive'] });
  expect((await put(staff, sheets.receive, sheet!.id, { answer: '还是我来' })).code).not.toBe(0);
  expect((await put(stranger, sheets.receive, sheet!.id, { answer: '已接手' })).code).toBe(0);
  expect(await waits(stranger)).toBe(0);
});

test('cancelling while reporting, and deciding while ending, leave a consistent state', async () => {
  const {
    id,
    subs: [one, other],
  } = await run({ subs: [sub(), sub({ title: '要终止的' })] });
  await Promise.all([put(clerk, subs.cancel, one!, { reason: '合并' }), report(one!, 50)]);
  expect(await part(one!)).toMatchObject({ status: 5 });
  expect((await sql('select 1 from supervise_progress where sub_id = $1 and check_state = 0', [one])).rows).toEqual([]);
  expect((await put(clerk, subs.cancel, other!, { reason: '不做' })).msg).toContain('最后一项没有取消的子任务');
  const asked = await ask(other!, 3, { to: stranger.userId });
  await Promise.all([decide(asked.data.id, 1), put(clerk, items.terminate, id, { reason: '不再需要' })]);
  expect(await get(id)).toMatchObject({ status: 4, light: 0 });
  expect(await part(other!)).toMatchObject({ status: 5 });
  expect((await sql('select state from supervise_request where id = $1', [asked.data.id])).rows[0]).not.toEqual({
    state: 1,
  });
  expect(await house.news(staff, '督办任务：要终止的')).toEqual([]);
});

test('one decision of a record becomes one item however often and wherever it is clicked', async () => {
  const { id: origin } = await run({ title: '作为来源的事项' });
  const body = {
    ...house.input({ title: '由它转来', subs: [] }),
    from: { module: 'supervision', id: origin, key: 'd1' },
  };
  const node = await app.secondNode();
  const there = clerk.at(node.url);
  const made = await Promise.all(
    Array.from({ length: 8 }, (_none, at) => (at % 2 ? clerk : there).ask(items.create, { body: body as never })),
  );
  await node.close();
  expect(new Set(made.map((one) => one.data.id)).size).toBe(1);
  expect(made.filter((one) => !one.data.existed)).toHaveLength(1);
  const other = await clerk.get(items.create, { body: { ...body, from: { ...body.from, key: 'd2' } } as never });
  expect(other.id).not.toBe(made[0]!.data.id);
  const raised = await Promise.all(
    Array.from({ length: 6 }, () =>
      app.services.databases.write(async (tx) => {
        const user = viewerOf((await personWithRights(tx, clerk.userId))!, 0);
        const by = { tx, user, now: new Date(), audit: () => undefined };
        return raise(by, {
          source: { module: 'supervision', id: origin, key: 'd3' },
          title: '决定事项',
          content: '抓紧办理',
          owner: staff.userId,
          due: inDays(10),
        });
      }),
    ),
  );
  expect([new Set(raised.map((one) => one.id)).size, raised.filter((one) => !one.existed).length]).toEqual([1, 1]);
  const known = await app.services.databases.write((tx) => raisedFrom(tx, 'supervision', [origin]));
  expect(known.map((row) => row.source_key).toSorted()).toEqual(['d1', 'd2', 'd3']);
  expect(
    (
      await clerk.ask(items.create, {
        body: { ...body, from: { module: 'supervision', id: 999_999, key: '' } } as never,
      })
    ).code,
  ).toBe(4004);
  expect((await clerk.get(items.list, { query: { source_module: 'supervision', source_id: origin } })).total).toBe(3);
});

test('urging by opinion or sheet brings back an item that the person urged had put aside, other opinions do not', async () => {
  const { id, subs: parts } = await run({ title: '先放一放的督办' });
  const found = async () => {
    const { value } = await staff.get(waitingCalls.list, { query: { per_page: 100 } });
    return value.filter((one) => one.web_path === `/supervise/detail/${id}` && one.key === 'supervise');
  };
  const aside = async () => {
    const [row] = await found();
    await staff.get(waitingCalls.putAside, { body: { rows: [row!.id], until: inDays(1) } });
    expect(await found()).toEqual([]);
  };
  const say = (type: number) =>
    clerk.get(opinions.create, { body: { supervise_id: id, type, content: '请抓紧' } as never });
  await aside();
  await say(opinionType.supervisor);
  expect(await found()).toEqual([]);
  await say(opinionType.urge);
  expect(await found()).toHaveLength(1);
  await aside();
  await clerk.get(sheets.issue, {
    params: { id },
    body: { sub_ids: parts, colour: 1, content: '请尽快完成', answer_by: inDays(3) } as never,
  });
  expect(await found()).toHaveLength(1);
});

test('opinions are announced to the people named and readable by those involved, and only a leader gives instructions', async () => {
  const { id } = await run({ leader: principal.userId, title: '意见' });
  const speak = (who: typeof staff, type: number, at_users: number[] = []) =>
    who.ask(opinions.create, { body: { supervise_id: id, type, content: '请抓紧', at_users } as never });
  expect((await speak(staff, 1)).code).toBe(4010);
  expect((await speak(staff, 3, [house.head.userId])).code).toBe(0);
  expect((await speak(principal, 1)).code).toBe(0);
  expect(await house.news(house.head, '督办意见：意见')).toHaveLength(1);
  expect((await colleague.get(opinions.list, { query: { supervise_id: id } })).total).toBe(0);
  expect((await staff.get(opinions.list, { query: { supervise_id: id } })).total).toBe(2);
});

test('a sheet of annual tasks is checked line by line and imported as a whole', async () => {
  const titles = superviseImport.columns.map((column) => column.title);
  const line = (more: Record<string, string> = {}) => {
    const cells: Record<string, string> = {
      事项: '年度重点一',
      主办部门: '教务处',
      事项时限: inDays(90).slice(0, 10),
      子任务: '起草',
      责任人账号: staff.username,
      任务时限: inDays(60).slice(0, 10),
      ...more,
    };
    return titles.map((title) => cells[title] ?? '');
  };
  const send = async (lines: string[][], dry: boolean, who = clerk) => {
    const form = new FormData();
    form.set('file', new Blob([(await typedSheet([titles, ...lines])) as never]), 'a.xlsx');
    return (await (
      await who.fetch(`/api/supervise/import/?dry_run=${dry ? 1 : 0}`, { method: 'POST', body: form })
    ).json()) as { code: number; data: { imported: number; errors: { field: string; msg: string }[] } };
  };
  const wrong = await send([line(), line({ 责任人账号: 'nobody', 任务时限: inDays(100).slice(0, 10) })], true);
  expect(wrong.data.errors.map((one) => one.field).toSorted()).toEqual(['任务时限', '责任人账号']);
  await app.dept('综合科', await app.dept('甲学院'));
  await app.dept('综合科', await app.dept('乙学院'));
  const unclear = await send([line({ 承办部门: '综合科' }), line({ 子任务: '定稿', 承办部门: '没有的科' })], true);
  expect(unclear.data.errors.map((one) => one.msg)).toEqual([
    '有几个部门叫“综合科”，请写成“上级/下级”，最上级的部门写成“/综合科”',
    '没有名为“没有的科”的部门，请核对名称',
  ]);
  expect((await send([line({ 承办部门: '甲学院/综合科' })], true)).data.errors).toEqual([]);
  const done = await send(
    [
      line(),
      line({ 子任务: '征求意见', 承办部门: '图书馆', 责任人账号: stranger.username }),
      line({ 事项: '年度重点二' }),
    ],
    false,
  );
  expect(done.data).toMatchObject({ imported: 3, errors: [] });
  const { value } = await clerk.get(items.list, { query: { search_value: '年度重点', with_subs: true } as never });
  expect(value.map((row) => [row.title, row.subs!.length, row.source])).toEqual([
    ['年度重点二', 1, 4],
    ['年度重点一', 2, 4],
  ]);
  const again = await send([line(), line({ 子任务: '征求意见' })], true);
  expect(again.data.errors).toEqual([
    expect.objectContaining({ row: 2, field: '事项', msg: expect.stringContaining('不要导入两次') }),
  ]);
  const torn = await send(
    [
      line({ 事项: '年度重点三' }),
      line({ 事项: '年度重点三', 子任务: '另一项', 主办部门: '图书馆' }),
      line({ 事项: '年度重点三' }),
    ],
    true,
  );
  expect(torn.data.errors.map((one) => one.field).toSorted()).toEqual(['主办部门', '子任务']);
  const empty = await send(
    [line({ 事项: '年度重点四' }), line({ 事项: '年度重点四', 子任务: '另', 办理要求: '写明' })],
    true,
  );
  expect(empty.data.errors.map((one) => one.msg)).toEqual([expect.stringContaining('第 2 行同一事项未填写')]);
  expect(again.data.errors[0]!.msg).toMatch(/未办结事项 \S+，/);
  const unseen = await send([line()], true, await app.clerk({ 'supervise/list': ['Create'] }));
  expect(unseen.data.errors.map((one) => one.msg)).toEqual([expect.stringContaining('已有同名的未办结事项，')]);
});

test('the bulletin’s figures equal the lists behind them and are fixed once drafted', async () => {
  const month = dayOf(new Date(Date.now() + 20 * 864e5)).slice(0, 7);
  const {
    subs: [done],
  } = await run({ title: '通报事项', subs: [sub({ title: '按时完成的' }), sub({ title: '未完成的' })] });
  await reach(done!, 100);
  const { value } = await clerk.get(bulletinCalls.bulletin, { query: { month } });
  const { rows } = await sql(
    `select count(*)::int n, count(*) filter (where status = 3)::int done from supervise_sub where issued_at is not null and status <> 5 and to_char(due_at at time zone 'Asia/Shanghai', 'YYYY-MM') = $1`,
    [month],
  );
  expect([value.count, value.done]).toEqual([rows[0].n, rows[0].done]);
  expect(value.html).toContain('按时完成的');
  expect(value.depts.reduce((sum, dept) => sum + dept.count, 0)).toBe(value.count);
  const page = await clerk.get(superviseStatistics.call, {
    query: {
      start: `${month}-01`,
      end: new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).toISOString().slice(0, 10),
    } as never,
  });
  expect((page.value as { summary: object }).summary).toMatchObject({
    count: value.count,
    done: value.done,
    on_time: value.on_time,
  });
  const { by_dept } = page.value as unknown as { by_dept: { count: number }[] };
  expect(by_dept.reduce((sum, row) => sum + row.count, 0)).toBe(value.count);
  const drafted = await clerk.get(bulletinCalls.draft, { body: { month } });
  const text = () => sql('select body_html, title from document where id = $1', [drafted.id]);
  const before = (await text()).rows[0] as { body_html: string; title: string };
  expect(before.title).toContain('督办工作情况的通报');
  await run({ subs: [sub({ title: '后来的' })] });
  expect((await text()).rows[0]).toEqual(before);
  expect((await librarian.ask(bulletinCalls.bulletin, { query: { month } })).code).toBe(4003);
});

test('badge and list agree on reports to be checked and requests to be decided', async () => {
  const {
    subs: [one],
  } = await run();
  await report(one!, 30);
  await ask(one!, 3, { to: stranger.userId });
  const counts = await clerk.get(subs.count);
  expect(counts.to_check).toBe((await clerk.get(progress.list, { query: { scope: 'to_check' } })).total);
  expect(counts.to_check).toBe((await clerk.get(subs.list, { query: { to_check: true } as never })).total);
  expect(counts.requests).toBe((await clerk.get(requests.list, { query: { scope: 'to_decide' } })).total);
  const mine = await staff.get(subs.count);
  expect(mine.unopen).toBe((await staff.get(subs.unopen)).total);
  expect(mine.sheets_unread).toBe((await staff.get(sheets.list, { query: { scope: 'unread' } })).total);
  await task('check percents of supervision');
});

test('a sheet signed for without an answer is answered later once, its lateness is announced, and a red one waits for the head', async () => {
  const {
    id,
    subs: [one],
  } = await run({ title: '签收与答复' });
  const paper = { colour: 3, sub_ids: [one], content: '请说明原因', answer_by: inDays(1) };
  expect((await put(clerk, sheets.issue, id, paper)).code).toBe(0);
  const [row] = (await staff.get(sheets.list, { query: { supervise_id: id, colour: 3 } })).value;
  const waiting = async (who: typeof staff) =>
    (await who.get(waitingCalls.list, { query: { per_page: 100 } })).value.filter(
      (wait) => wait.title.includes('签收与答复') && wait.title.startsWith('督办单：'),
    );
  expect([(await waiting(head)).length, (await waiting(staff)).length]).toEqual([1, 1]);
  expect((await put(staff, sheets.receive, row!.id, {})).code).toBe(0);
  expect([(await waiting(head)).length, (await waiting(staff)).length]).toEqual([0, 1]);
  expect((await staff.get(sheets.list, { query: { scope: 'unanswered', supervise_id: id } })).value).toMatchObject([
    { actions: ['answer'] },
  ]);
  await sql('alter table supervise_sheet disable trigger supervise_sheet_kept');
  await sql(`update supervise_sheet set answer_by = now() - interval '1 hour' where id = $1`, [row!.id]);
  await sql('alter table supervise_sheet enable trigger supervise_sheet_kept');
  await task('tell of lights of supervision');
  await task('tell of lights of supervision');
  const late = async (who: typeof staff) =>
    (
      await sql(
        `select 1 from msg join msg_user on msg_id = msg.id where user_id = $1 and content like '%还没有答复%'`,
        [who.userId],
      )
    ).rows.length;
  expect([await late(staff), await late(head), await late(clerk)]).toEqual([1, 1, 1]);
  expect(await put(head, sheets.receive, row!.id, { answer: '' })).toRefuse(answerNeeded);
  expect((await put(staff, sheets.receive, row!.id, { answer: '材料未到' })).code).toBe(0);
  expect((await put(head, sheets.receive, row!.id, { answer: '另一句' })).code).toBe(4010);
  expect(await waiting(staff)).toEqual([]);
});

test('answering one sheet of a part closes the notices about that sheet only', async () => {
  const {
    id,
    subs: [one],
  } = await run({ title: '两张督办单' });
  const paper = { colour: 2, sub_ids: [one], content: '请说明原因', answer_by: inDays(1) };
  const issue = async () => (await clerk.get(sheets.issue, { params: { id }, body: paper as never }))[0]!;
  const [first, second] = [await issue(), await issue()];
  expect((await put(staff, sheets.receive, first.id, { answer: '材料未到' })).code).toBe(0);
  const { rows } = await sql(
    `select occasion, closed_at is null open from msg join msg_user on msg_id = msg.id
     where user_id = $1 and event = 'SUP_SHEET' and object_id = $2 order by msg.id`,
    [staff.userId, one],
  );
  expect(rows).toEqual([
    { occasion: String(first.id), open: false },
    { occasion: String(second.id), open: true },
  ]);
});

test('a leader’s decision keeps a proposed score unless another is given, and changed cycles and reopened parts count from now', async () => {
  const {
    id,
    subs: [one],
  } = await run({ level: 3, leader: principal.userId, title: '评分', feedback_cycle: 0 });
  expect(await part(one!)).toMatchObject({ next_feedback: null });
  expect((await put(clerk, items.update, id, { feedback_cycle: 1 })).code).toBe(0);
  expect((await part(one!)).next_feedback).not.toBeNull();
  expect((await put(clerk, items.update, id, { feedback_cycle: 0 })).code).toBe(0);
  expect(await part(one!)).toMatchObject({ next_feedback: null });
  await reach(one!, 100);
  expect((await put(clerk, items.finish, id, { result: 1, finish_note: '已完成', score: 80 })).code).toBe(0);
  expect((await put(principal, items.finish, id, { result: 2, reason: '补充材料', subs: [] })).code).toBe(0);
  expect(await get(id)).toMatchObject({ score: null });
  expect((await put(clerk, items.finish, id, { result: 1, finish_note: '已完成', score: 88 })).code).toBe(0);
  expect((await put(principal, items.finish, id, { result: 1, finish_note: '同意' })).code).toBe(0);
  expect(await get(id)).toMatchObject({ status: 3, score: 88 });
  await sql(`update supervise_sub set issued_at = now() - interval '200 days' where id = $1`, [one]);
  expect((await put(principal, items.reopen, id, { reason: '回头看', due_at: inDays(30), subs: [one] })).code).toBe(0);
  expect(await get(id)).toMatchObject({ score: null });
  expect(await part(one!)).toMatchObject({ light: 1 });
});
