import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { castOf, type School } from '#apps/server/testing/school.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { deliveries } from '#modules/platform/deliveries/contract.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { customNotices, noticeCalls, noticeTypes } from '#modules/workflow/workflows/contract/notices.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { buttonsOf, openHouse, type Asked, type House } from './testing/card-house.ts';
import { form, headAgrees, headRefuses, submit } from './testing/repair.ts';

const agrees = '同意';

let app: TestOffice;
let house: House;
let school: School;
let repair: number;
let notice: number;
beforeAll(async () => {
  house = await openHouse();
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  school = await castOf(app);
  repair = await school.flowOf('it_service');
  notice = await noticeOf('审批助手', noticeTypes.feishu_app, { appkey: 'cli_1', appsecret: 'S1' });
  await publishWith([notice]);
}, 60_000);
beforeEach(async () => {
  house.asked.length = 0;
  await app.services.databases.pool.query(`delete from attempt where kind = 'ticket-card'`);
  await allow(2);
});
afterAll(async () => {
  await app.close();
  house.close();
});

const noticeOf = async (name: string, type_id: 8 | 9 | 10, more: object) => {
  const body = { name, type_id, hook_url: house.url, card_decides: 2 as const, ...more };
  return (await app.admin.get(customNotices.add, { body })).id!;
};
const allow = (card_decides: 0 | 1 | 2) =>
  app.admin.get(customNotices.change, { params: { id: notice }, body: { card_decides } });
async function publishWith(notices: number[]): Promise<void> {
  const params = { id: repair };
  const { definition } = await app.admin.get(designCalls.get, { params });
  const settings = { ...definition.settings, notices };
  await app.admin.get(designCalls.change, { params, body: { definition: { ...definition, settings } } });
  await app.admin.get(releaseCalls.publish, { params, body: {} });
}
/** Somebody's card that contains some words. */
const cardFor = (who: Client, words: string): Promise<Asked> =>
  eventually(() => {
    const found = house
      .cards()
      .find(({ body }) => body['receive_id'] === who.username && String(body['content']).includes(words));
    if (!found) throw new Error(`no card for ${who.username}`);
    return found;
  });
/** A ticket that waits for the head, and the address of its page on the card. */
const begun = async (title: string) => {
  const body = { workflow_id: repair, transition_id: submit, ...form, title, amount: 300 };
  const { id } = await school.staff.get(tickets.start, { body });
  const [url] = Object.entries(buttonsOf(await cardFor(school.head, title.replace(/<.*>/, '')))).flatMap(
    ([label, at]) => (label.includes(agrees) ? [at] : []),
  );
  return { id, path: url!.slice(app.url.length) };
};
interface Page {
  status: number;
  text: string;
  seen: string;
}
const opened = async (path: string, init: RequestInit = {}): Promise<Page> => {
  const answer = await app.stranger.fetch(path, init);
  const text = await answer.text();
  return { status: answer.status, text, seen: /name="seen_hash" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '' };
};
const press = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  opened(path.split('?')[0]!, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const agree = (path: string, seen_hash: string, more: Record<string, string> = {}) =>
  press(path, { transition_id: String(headAgrees), suggestion: '从卡片同意', seen_hash, ...more });
const stateOf = async (id: number) =>
  (await school.staff.get(tickets.get, { params: { id } })).value.participant_info.participant_alias;
const waits = '李四';

test('opening a ticket’s card decides nothing, one press decides, and the logs name the person and the card', async () => {
  const { id, path } = await begun('<b>教学楼</b>漏水');
  const { value: ticket } = await school.staff.get(tickets.get, { params: { id } });
  expect(String((await cardFor(school.head, '漏水')).body['content'])).toContain(ticket.sn);
  for (let look = 0; look < 3; look++) {
    const page = await opened(path);
    expect([page.status, page.text.includes('&lt;b&gt;教学楼&lt;/b&gt;漏水')]).toEqual([200, true]);
    expect(page.text).toContain('将以 李四 的名义办理，只能办理一次。');
    expect(page.text).not.toContain('<script');
  }
  expect(await stateOf(id)).toBe(waits);
  const { seen } = await opened(path);
  const done = await agree(path, seen);
  expect([done.status, done.text.includes('办理成功')]).toEqual([200, true]);
  expect(await stateOf(id)).not.toBe(waits);
  const { value } = await school.staff.get(tickets.flowlogs, { params: { id } });
  expect(value.find((log) => log.action === 'handle')).toMatchObject({
    participant_info: { alias: '李四' },
    suggestion: '从卡片同意',
    reasons: expect.arrayContaining(['通过应用“审批助手的卡片”办理']),
  });
  const [row] = await app.db
    .select()
    .from(logTable)
    .where(sql`${logTable.action} = '从卡片办理'`);
  expect(row).toMatchObject({ alias: '李四', title: expect.stringContaining('应用“审批助手的卡片”') });
  // The card says so, and opening it again shows no buttons.
  await eventually(() => expect(house.updates()).toHaveLength(1));
  expect([house.updates()[0]!.method, house.updates()[0]!.path]).toEqual([
    'PATCH',
    expect.stringMatching(/messages\/om_\d+$/),
  ]);
  expect(String(house.updates()[0]!.body['content'])).toContain('您已在');
  expect((await opened(path)).text).toContain('不能再次办理');
});

test('when somebody else has decided, the card is updated and its page says who decided what', async () => {
  const { id, path } = await begun('投影仪坏了');
  await app.admin.get(ticketActions.deliver, {
    params: { id },
    body: { target_username: school.colleague.username, suggestion: '改由孙八办理', from_admin: true },
  });
  await eventually(() => expect(house.updates()).toHaveLength(1));
  expect(String(house.updates()[0]!.body['content'])).toContain('这张工单现在不由您处理');
  expect(Object.keys(buttonsOf(house.updates()[0]!))).toEqual(['查看']);
  const page = await opened(path);
  expect([page.seen, page.text.includes('这张工单现在不由您处理')]).toEqual(['', true]);
  // The new assignee has a card of their own, and the old card decides nothing for them.
  expect(Object.keys(buttonsOf(await cardFor(school.colleague, '投影仪坏了')))).toContain(agrees);
  await agree(path, 'a'.repeat(64));
  expect(await stateOf(id)).toBe('孙八');
});

describe('attacks on cards', () => {
  test('two simultaneous presses decide once, and a replayed press decides nothing', async () => {
    const { id, path } = await begun('同时按两次');
    const { seen } = await opened(path);
    const pages = await Promise.all([agree(path, seen), agree(path, seen), agree(path, seen)]);
    expect(pages.filter((page) => page.text.includes('办理成功'))).toHaveLength(1);
    expect((await agree(path, seen)).text).toContain('不能再次办理');
    const { value } = await school.staff.get(tickets.flowlogs, { params: { id } });
    expect(value.filter((log) => log.action === 'handle')).toHaveLength(1);
  });

  test('an altered, swapped or guessed card link gets the same page as any other, and guesses are counted', async () => {
    const [first, second] = [await begun('第一张'), await begun('第二张')];
    const [, id, sign] = /cards\/(\d+)\/([0-9a-f]{64})\//.exec(first.path)!;
    const other = /cards\/(\d+)\//.exec(second.path)![1]!;
    const address = (at: string, by: string) => `/api/tickets/cards/${at}/${by}/`;
    const wrong = [
      address(other, sign!),
      address(id!, `${sign!.slice(1)}0`),
      address(id!, sign!.slice(1)),
      address('999999', sign!),
      address('999999', 'x'),
    ];
    const texts = new Set<string>();
    for (const path of wrong) {
      const page = await opened(path);
      expect(page.status, path).toBe(404);
      texts.add(page.text);
      expect((await agree(path, 'a'.repeat(64))).status).toBe(404);
    }
    expect(texts.size).toBe(1);
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual([waits, waits]);
    for (let guess = 0; guess < 30; guess++) await opened(address('1', 'x'));
    expect((await opened(first.path)).status).toBe(429);
  });

  test('an expired card, and a card of a disabled application, decide nothing', async () => {
    const { id, path } = await begun('各种失效');
    const { seen } = await opened(path);
    const { pool } = app.services.databases;
    const tells = async (words: string) => {
      for (const page of [await opened(path), await agree(path, seen)]) {
        expect(page.text).toContain(words);
        expect(page.text).not.toContain('各种失效');
      }
      expect(await stateOf(id)).toBe(waits);
    };
    await pool.query(`update ticket_card set expires_at = now() - interval '1 second' where ticket_id = ${id}`);
    await tells('卡片发出超过 72 小时');
    await pool.query(`update ticket_card set expires_at = now() + interval '1 hour' where ticket_id = ${id}`);
    await app.admin.get(customNotices.change, { params: { id: notice }, body: { status: 0 } });
    await tells('现在不能从卡片直接办理');
    await app.admin.get(customNotices.change, { params: { id: notice }, body: { status: 1 } });
    expect((await agree(path, seen)).text).toContain('办理成功');
  });

  test('a forwarded card link decides only if the administrator allows it or on a device where its person signed in', async () => {
    const { id, path } = await begun('转发出去');
    const { seen } = await opened(path);
    await allow(0);
    for (const page of [await opened(path), await agree(path, seen)])
      expect([page.text.includes('请登录系统办理'), page.text.includes('转发出去')]).toEqual([true, false]);
    await allow(1);
    const device = 'd'.repeat(43);
    const cookie = { cookie: `device=${device}` };
    for (const page of [await opened(path), await opened(path, { headers: cookie }), await agree(path, seen)])
      expect([page.text.includes('您还没有在这台设备上登录过'), page.text.includes('转发出去')]).toEqual([true, false]);
    await app.services.databases.pool.query(
      `insert into known_device (user_id, mark, session_version)
       select id, encode(sha256($1::bytea), 'hex'), session_version from app_user where id = $2`,
      [device, school.head.userId],
    );
    expect(await stateOf(id)).toBe(waits);
    const page = await opened(path, { headers: cookie });
    expect(page.text).toContain('转发出去');
    const fields = { transition_id: String(headAgrees), suggestion: '同意', seen_hash: page.seen };
    expect((await press(path, fields, cookie)).text).toContain('办理成功');
  });

  test('a card pressed after the form has changed shows the changes and asks again', async () => {
    const { id, path } = await begun('表单有变');
    const before = await opened(path);
    await app.services.databases.pool.query(
      `update ticket set form = jsonb_set(form, '{place}', '"二号楼 202"') where id = ${id}`,
    );
    const late = await agree(path, before.seen);
    expect(late.text).toMatch(/role="alert">[^<]*请核对后再提交/);
    expect(late.text).toContain('二号楼 202');
    // The words that were typed are kept.
    expect(late.text).toContain('从卡片同意');
    expect(await stateOf(id)).toBe(waits);
    expect((await opened(path)).text).toContain('卡片发出之后');
    expect((await agree(path, late.seen)).text).toContain('办理成功');
  });

  test('a page of another site cannot press a card, a press names the form version, and no parameter redirects elsewhere', async () => {
    const { id, path } = await begun('跨站');
    const { seen, text } = await opened(path);
    const elsewhere = await press(
      path,
      { transition_id: String(headAgrees), seen_hash: seen },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(elsewhere.text).toContain('只能在本系统页面内进行');
    expect((await press(path, { transition_id: String(headAgrees) })).text).not.toContain('办理成功');
    expect(await stateOf(id)).toBe(waits);
    const led = await opened(
      `${path.split('?')[0]!}?choose=https://evil.example&next=//evil.example&redirect=https://evil.example`,
    );
    expect([led.status, led.text.includes('evil')]).toEqual([200, false]);
    expect([...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map((found) => found[1])).toEqual([
      `/ticket/detail/${id}`,
    ]);
    const answer = await app.stranger.fetch(path);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([answer.headers.get('location'), answer.headers.get('referrer-policy')]).toEqual([null, 'same-origin']);
  });

  test('a card demands an opinion where the ticket’s page does, and refuses a button that it does not show', async () => {
    const { id, path } = await begun('拒绝要写意见');
    const { seen } = await opened(path);
    const silent = await press(path, { transition_id: String(headRefuses), suggestion: '', seen_hash: seen });
    expect(silent.text).toContain('role="alert"');
    expect(await stateOf(id)).toBe(waits);
    // A button of another state is not one of this card's.
    const other = await press(path, { transition_id: '5', suggestion: '同意', seen_hash: seen });
    expect(other.text).toContain('这个操作不能从卡片办理');
  });
});

test('cards for all three chat platforms have the platform’s format, go to the right account, and are updated afterwards', async () => {
  const [wecom, dingtalk] = [
    await noticeOf('企微审批', noticeTypes.wecom_app, {
      corpid: 'ww1',
      corpsecret: 'secret-of-wecom',
      agent_id: '1000002',
    }),
    await noticeOf('钉钉审批', noticeTypes.ding_app, { appkey: 'ding1', appsecret: 'secret-of-ding', agent_id: '77' }),
  ];
  await publishWith([wecom, dingtalk]);
  const body = { workflow_id: repair, transition_id: submit, ...form, title: '三家', amount: 300 };
  const { id } = await school.staff.get(tickets.start, { body });
  const of = (path: string) =>
    eventually(() => {
      const found = house.asked.find((one) => one.path.startsWith(path));
      if (!found) throw new Error(`nothing was sent to ${path}`);
      return found.body;
    });
  const card = await of('/cgi-bin/message/send');
  expect(card).toMatchObject({
    touser: school.head.username,
    agentid: 1_000_002,
    msgtype: 'template_card',
    template_card: {
      card_type: 'button_interaction',
      main_title: { title: '待办：三家' },
      card_action: { type: 1, url: `${app.url}/ticket/detail/${id}` },
    },
  });
  const { button_list: buttons } = card['template_card'] as { button_list: { text: string; url: string }[] };
  expect(buttons.map((button) => button.text)).toContain(agrees);
  expect((await opened(buttons[0]!.url.slice(app.url.length))).text).toContain('三家');
  expect(await of('/topapi/message/corpconversation/asyncsend_v2')).toMatchObject({
    agent_id: '77',
    userid_list: school.head.username,
    msg: { msgtype: 'action_card', action_card: { title: '待办：三家' } },
  });
  await school.head.get(tickets.handle, { params: { id }, body: { transition_id: headAgrees, suggestion: '同意' } });
  expect(await of('/cgi-bin/message/update_template_card')).toMatchObject({
    userids: [school.head.username],
    response_code: expect.stringMatching(/^r\d+$/),
    template_card: { card_type: 'text_notice' },
  });
  expect(await of('/topapi/message/corpconversation/recall')).toMatchObject({
    agent_id: '77',
    msg_task_id: expect.stringMatching(/^\d+$/),
  });
  // The access token is requested only once, and neither it nor a secret is written to the delivery log.
  expect(house.asked.filter((one) => one.path.startsWith('/cgi-bin/gettoken'))).toHaveLength(1);
  await eventually(async () => {
    const { value } = await app.admin.get(deliveries.list, { query: { search_value: '三家' } });
    expect(new Set(value.map((row) => row.state))).toEqual(new Set(['sent']));
  });
  const { rows } = await app.services.databases.pool.query(
    `select body::text from delivery where channel like '%_app'`,
  );
  expect(JSON.stringify(rows)).not.toMatch(/secret-of|cards\/\d+\/[0-9a-f]{64}/);
  await publishWith([notice]);
});

test('a chat application is configured and tried on oneself, and a new address demands its secret again', async () => {
  const add = (body: object) =>
    app.admin.ask(customNotices.add, { body: { name: '缺的', type_id: 9, ...body } as never });
  expect((await add({ appkey: 'k' })).msg).toContain('应用须填写应用密钥');
  const robot = { name: '群', type_id: 7, hook_url: house.url, card_decides: 2 } as const;
  const { id } = await app.admin.get(customNotices.add, { body: robot });
  const [row] = (await app.admin.get(customNotices.list, { query: { search_value: '群' } })).value;
  expect([row!.id, row!.card_decides]).toEqual([id, 0]);
  const moved = { params: { id: notice }, body: { hook_url: 'https://elsewhere.example' } };
  expect((await app.admin.ask(customNotices.change, moved)).msg).toContain('应用密钥：回调地址有改动');
  await app.admin.get(noticeCalls.testNotice, { params: { id: notice } });
  expect(Object.keys(buttonsOf(await cardFor(app.admin, '测试通知')))).toEqual(['查看']);
});

test('the card of a person who left decides nothing', async () => {
  const { id, path } = await begun('已经离职');
  const { seen } = await opened(path);
  await app.services.databases.pool.query(`update app_user set is_active = false where id = ${school.head.userId}`);
  for (const page of [await opened(path), await agree(path, seen)]) {
    expect(page.text).toContain('这个账号现在不能从卡片办理');
    expect(page.text).not.toContain('已经离职');
  }
  const { value } = await school.staff.get(tickets.flowlogs, { params: { id } });
  expect(value.filter((log) => log.action === 'handle')).toEqual([]);
});
