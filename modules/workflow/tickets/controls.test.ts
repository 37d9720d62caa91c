import { leastCost } from '#kernel/server/testing/cost.ts';
import { strToU8, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { sheetEnd, sheetStart, workbookParts } from '#kernel/server/export/sheet-xml.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { outing } from './testing/outing.ts';

let school: School;
let workflow_id: number;

beforeAll(async () => {
  school = await openSchool();
  workflow_id = await addFlow(school.office, 'outing', outing([{ type: 1, user: school.head.userId }]));
}, 180_000);
afterAll(() => school.office.close());

const start = (form: object, who: Client = school.staff) =>
  who.ask(tickets.start, { body: { workflow_id, transition_id: 1, subject: '参会', ...form } as never });
/** Returns a ticket's field as the head reads it. */
async function read(id: number, key: string) {
  const { value } = await school.head.get(tickets.get, { params: { id } });
  return value.field_list.find((item) => item.field_key === key)!;
}

async function sent(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileCard> {
  const body = new FormData();
  body.set('module', 'tickets');
  body.set('file', new Blob([bytes]), name);
  const response = await school.staff.fetch('/api/file/upload/', { method: 'POST', body });
  return ((await response.json()) as { data: FileCard }).data;
}

test('a picture field accepts only pictures and no more than its limit', async () => {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  const picture = () => sent('现场.png', new Uint8Array(bytes));
  const words = await sent('说明.txt', new TextEncoder().encode('现场说明'));
  expect((await start({ scene: [words.id] })).msg).toBe('现场照片：“说明.txt”不是图片，请上传图片');
  const three = [await picture(), await picture(), await picture()].map(({ id }) => id);
  expect((await start({ scene: three })).msg).toBe('现场照片：最多 2 项，现在有 3 项');
  const { data, code, msg } = await start({ scene: three.slice(1) });
  expect(code, msg).toBe(0);
  const { field_files } = await read(data.ticket_id, 'scene');
  expect(field_files.map(({ mime, thumb_url }) => [mime, thumb_url !== null])).toEqual([
    ['image/png', true],
    ['image/png', true],
  ]);
});

const agree = (id: number) =>
  school.head.ask(tickets.handle, { params: { id }, body: { transition_id: 2, suggestion: '好' } });
const listed = async (fields: object) => {
  const { value } = await school.staff.get(tickets.list, {
    query: { category: 'owner', workflow_ids: [workflow_id], fields: JSON.stringify(fields) } as never,
  });
  return value.map(({ id }) => id);
};

test('a region is a path of codes down to the last level, is read by its names and found by its province', async () => {
  for (const place of [
    ['110000'],
    ['110000', '110101'],
    ['110000', '110100', '310101'],
    '110101',
    ['110000', '110100', '110101', 'x'],
  ])
    expect((await start({ place })).msg).toBe('所在地区：请选择省市区，选到最后一级');
  const { data } = await start({ place: ['110000', '110100', '110101'], province: ['310000'] });
  expect((await read(data.ticket_id, 'place')).field_display).toBe('北京市 / 东城区');
  expect((await read(data.ticket_id, 'province')).field_display).toBe('上海市');
  expect((await school.staff.get(tickets.get, { params: { id: data.ticket_id } })).value.title).toBe(
    '外出：参会 北京市 / 东城区',
  );
  expect(await listed({ place: '110000' })).toEqual([data.ticket_id]);
  expect(await listed({ place: '310000' })).toEqual([]);
  const { data: moved } = await agree(data.ticket_id);
  expect(moved.state_name).toBe('领导审批');
});

test('a place is one line of at most 200 characters, and is found and tested by a part of it', async () => {
  expect((await start({ venue: '远'.repeat(201) })).msg).toBe('外出地点：最多 200 个字，现在有 201 个');
  expect((await start({ venue: '东门\n西门' })).msg).toBe('外出地点：不能包含控制字符');
  expect((await start({ venue: ['东门'] })).msg).toBe('外出地点：请输入文字');
  const here = '科技路 1 号（北纬 22.54310°，东经 114.05787°）';
  const [near, far] = [await start({ venue: `  ${here} ` }), await start({ venue: '宝安机场 T3' })];
  expect((await read(near.data.ticket_id, 'venue')).field_value).toBe(here);
  expect(await listed({ venue: '科技路' })).toEqual([near.data.ticket_id]);
  expect((await agree(near.data.ticket_id)).data.state_name).toBe('结束');
  expect((await agree(far.data.ticket_id)).data.state_name).toBe('领导审批');
});

test('places used before are suggested, newest first and without coordinates, to people who may read their tickets', async () => {
  const offered = (who: Client, search_value = '', field_key = 'venue') =>
    who.get(tickets.places, { query: { workflow_id, field_key, search_value } });
  await start({ venue: '南校区食堂' });
  await start({ venue: '南校区食堂（北纬 22.54310°，东经 114.05787°）' });
  await start({ venue: '南校区图书馆' });
  expect((await offered(school.staff)).slice(0, 2)).toEqual(['南校区图书馆', '南校区食堂']);
  expect(await offered(school.head, '食堂')).toEqual(['南校区食堂']);
  expect(await offered(school.staff, '', 'subject')).toEqual([]);
  const stranger = await school.office.clerk({});
  expect(await offered(stranger)).toEqual([]);
  const own = await start({ venue: '后勤仓库' }, stranger);
  expect(own.code, own.msg).toBe(0);
  expect(await offered(stranger)).toEqual(['后勤仓库']);
  expect(await offered(school.staff, '仓库')).toEqual([]);
});

test('a cascade must be chosen down to its last level, and a condition may test any level', async () => {
  for (const device of [['pc'], ['lap'], ['printer', 'lap'], 'printer'])
    expect((await start({ device })).msg).toBe('设备：请从选项中选择，选到最后一级');
  const [lap, printer] = [await start({ device: ['pc', 'lap'] }), await start({ device: ['printer'] })];
  expect((await read(lap.data.ticket_id, 'device')).field_display).toBe('电脑 / 笔记本');
  expect(await listed({ device: 'pc' })).toEqual([lap.data.ticket_id]);
  expect((await agree(lap.data.ticket_id)).data.state_name).toBe('领导审批');
  expect((await agree(printer.data.ticket_id)).data.state_name).toBe('结束');
});

test('a date range needs both ends in order, is found by any day in it, and counts its working days by the calendar', async () => {
  const msg = async (away: unknown) => (await start({ away })).msg;
  expect(await msg(['2026-09-30'])).toBe('外出时间：请填写开始日期和结束日期，如 2026-03-01 至 2026-03-05');
  expect(await msg(['2026-10-09', '2026-09-30'])).toBe('外出时间：结束日期 2026-09-30 早于开始日期 2026-10-09');
  const { data } = await start({ away: ['2026-09-30', '2026-10-08'], workdays: 99 });
  // The National Day holiday lies between: the 30th and the 8th are working days.
  expect((await read(data.ticket_id, 'workdays')).field_value).toBe(2);
  expect((await read(data.ticket_id, 'away')).field_display).toBe('2026-09-30 至 2026-10-08');
  expect(await listed({ away: { gte: '2026-10-08', lte: '2026-10-20' } })).toEqual([data.ticket_id]);
  expect(await listed({ away: { gte: '2026-10-09' } })).toEqual([]);
});

test('a table of two thousand rows is stored, summed and opened cheaply, and one row more is refused', async () => {
  const costs = Array.from({ length: 2000 }, (_none, at) => ({
    what: `第 ${at + 1} 次往返车票`,
    price: 0.1,
    count: at + 1,
  }));
  expect((await start({ costs: [...costs, costs[0]] })).msg).toBe('明细：最多 2000 行，现在有 2001 行');
  const taken = async (rows: object[]) => {
    let ticket = 0;
    const statements = await counted(school.staff, async () => {
      const { data, msg, code } = await start({ costs: rows });
      expect(code, msg).toBe(0);
      ticket = data.ticket_id;
    });
    return { ticket, statements: statements.length };
  };
  const [one, all] = [await taken(costs.slice(0, 1)), await taken(costs)];
  // A statement a row would be two thousand more.
  expect(all.statements).toBeLessThan(one.statements + 10);
  expect((await read(all.ticket, 'total')).field_value).toBe(200_100);
  const open = async () => expect((await read(all.ticket, 'costs')).field_value).toHaveLength(2000);
  expect(await leastCost(open)).toBeLessThan(300);
  const asked = async (id: number) => (await counted(school.head, () => read(id, 'costs'))).length;
  expect(await asked(all.ticket)).toBeLessThan((await asked(one.ticket)) + 10);
});

test('a spreadsheet for a table is parsed with the viewer’s rights, and only for people who may fill in the form', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows =
    `<row r="1">${cell('A1', '物品')}${cell('B1', '单价')}</row>` +
    `<row r="2">${cell('A2', '车票')}<c r="B2" t="e"><f>A1/0</f><v>#DIV/0!</v></c></row>` +
    `<row r="3" hidden="1">${cell('A3', '住宿')}<c r="B3"><v>200</v></c></row>` +
    `<row r="4"><c r="A4"><f>A3</f></c></row>`;
  const parts = { ...workbookParts('明细'), 'xl/worksheets/sheet1.xml': sheetStart([10, 10]) + rows + sheetEnd };
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])));
  const readBy = async (who: Client, workflow: number) => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(bytes)]), '明细.xlsx');
    const answer = await who.fetch(`/api/tickets/sheet/?workflow_id=${workflow}`, { method: 'POST', body });
    return (await answer.json()) as { code: number; data: unknown };
  };
  expect((await readBy(school.staff, workflow_id)).data).toEqual({
    lines: [
      ['物品', '单价'],
      ['车票', ''],
      ['住宿', '200'],
      ['', ''],
    ],
    values: [],
    faults: [
      { line: 2, column: 1, msg: '单元格 B2 是错误值 #DIV/0!，请改正后重新上传' },
      { line: 4, column: 0, msg: '单元格 A4 的公式没有保存计算结果，请用表格软件打开、保存后重新上传' },
    ],
    hidden: [3],
    hidden_columns: [],
    beside: [],
  });
  const flow = outing([{ type: 1, user: school.head.userId }]);
  const settings = { ...flow.settings, limit: { users: [school.staff.userId] } };
  const kept = await addFlow(school.office, 'outing_kept', { ...flow, name: '限人外出', settings } as never);
  const codeFor = async (who: Client) => (await readBy(who, kept)).code;
  expect([await codeFor(school.staff), await codeFor(school.head)]).toEqual([codes.ok, codes.absent]);
  const sent = await school.staff.ask(tickets.start, {
    body: { workflow_id: kept, transition_id: 1, subject: '参会' } as never,
  });
  expect(sent.code, sent.msg).toBe(codes.ok);
  expect(await codeFor(school.head)).toBe(codes.ok);
});

test('a form shows the number of its ticket, and nobody can write it', async () => {
  expect((await start({ no: 'WC1' })).msg).toBe('编号：流水号由系统生成，不能填写');
  const { data } = await start({});
  expect((await read(data.ticket_id, 'no')).field_value).toBe(data.sn);
});

test('opinions appear in the form’s opinion field once given, limited to the states that the field names', async () => {
  const { data } = await start({ place: ['110000', '110100', '110101'] });
  const words = async (key: string) =>
    (await read(data.ticket_id, key)).field_opinions!.map(({ state, words: said }) => [state, said]);
  expect(await words('all_said')).toEqual([]);
  await agree(data.ticket_id);
  expect([await words('said'), await words('all_said')]).toEqual([[], [['审批', '好']]]);
  const body = { transition_id: 3, suggestion: '同意外出' };
  expect((await school.head.ask(tickets.handle, { params: { id: data.ticket_id }, body })).code).toBe(0);
  expect([await words('said'), (await words('all_said')).length]).toEqual([[['领导审批', '同意外出']], 2]);
});

test('records in a form are chosen among those the person sees, and a reader sees only the records visible to them', async () => {
  const own = await start({ subject: '甲' });
  const other = await start({ subject: '乙' }, school.head);
  const foreign = await start({ earlier: [other.data.ticket_id] });
  expect(foreign.msg).toBe('原申请：所选事项已不存在，或您看不到它，请重新选择');
  expect((await start({ earlier: [999_999] })).msg).toBe(foreign.msg);
  const { data } = await start({ earlier: [own.data.ticket_id] });
  const { field_records, field_value } = await read(data.ticket_id, 'earlier');
  expect(field_records).toMatchObject([{ id: own.data.ticket_id, sn: own.data.sn }]);
  expect(field_value).toEqual([own.data.ticket_id]);
  const { data: mixed, msg, code } = await start({ earlier: [other.data.ticket_id] }, school.head);
  expect(code, msg).toBe(0);
  expect((await read(mixed.ticket_id, 'earlier')).field_records).toHaveLength(1);
});

test('the export of one workflow has its fields as columns, and one line for each row of the chosen table', async () => {
  const clerk = await school.office.clerk({ 'ticket/all': ['daochu', 'Retrieve'] });
  const costs = [
    { what: '车票', price: 30, count: 2 },
    { what: '住宿', price: 200, count: 1 },
  ];
  const { data } = await start({
    venue: '南校区图书馆',
    place: ['110000', '110100', '110101'],
    away: ['2026-11-20', '2026-11-23'],
    costs,
  });
  const asked = `category=all&workflow_ids=${workflow_id}&ticket_ids=${data.ticket_id}&export=xlsx`;
  const sheet = async (more: string) => {
    const response = await clerk.fetch(`/api/tickets/?${asked}${more}`);
    expect(response.headers.get('content-type')).toContain('sheet');
    const [head, ...lines] = (await readSheet(Buffer.from(await response.arrayBuffer()))) as unknown[][];
    return lines.map((line) => Object.fromEntries(head!.map((title, at) => [title, line[at]])));
  };
  const form = {
    外出地点: '南校区图书馆',
    所在地区: '北京市 / 东城区',
    外出时间: '2026-11-20 至 2026-11-23',
    工作日: 2,
    合计: 260,
  };
  expect(await sheet('')).toMatchObject([{ 流水号: data.sn, ...form }]);
  expect(await sheet('&rows_of=costs')).toMatchObject([
    { 流水号: data.sn, ...form, '明细：用途': '车票', '明细：小计': 60 },
    { 流水号: data.sn, ...form, '明细：用途': '住宿', '明细：小计': 200 },
  ]);
  const wrong = await clerk.fetch(`/api/tickets/?${asked}&rows_of=subject`);
  expect(await wrong.json()).toMatchObject({ code: 4000, msg: '导出明细：“subject”不是能导出的表格字段' });
});
