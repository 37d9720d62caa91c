import sharp from 'sharp';
import { expect } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { appoint, openSchool } from '#apps/server/testing/school.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { orders } from '../contract/orders.ts';
import { assets, categories } from '../contract/settings.ts';

type Body = Record<string, unknown>;

/** A school with a desk, a team of three repairers, and kinds of faults. */
export async function openOrders() {
  const school = await openSchool();
  const { office: app, staff, colleague, hire } = school;
  const team = await app.dept('维修科');
  const desk = await hire('受理员', { roles: ['order_desk'] });
  const second = await hire('受理二', { roles: ['order_desk'] });
  const chief = await hire('科长', { dept: team });
  await appoint(app, team, { leader: chief });
  const jia = await hire('贾师傅', { dept: team, roles: ['order_handler'] });
  const xia = await hire('夏师傅', { dept: team, roles: ['order_handler'] });
  const fu = await hire('付师傅', { dept: team, roles: ['order_handler'] });
  const sql = (text: string, values: unknown[] = []) => app.services.databases.pool.query(text, values);
  let named = 0;
  const category = async (more: Body = {}) =>
    (await desk.get(categories.add, { body: { name: `水电${(named += 1)}`, team_id: team, ...more } })).id!;
  const water = await category();
  const asset = async (more: Body = {}) => {
    const { id } = await desk.get(assets.add, {
      body: { name: '投影仪', building: '一号楼', floor: '3', room: '301', category_id: water, ...more },
    });
    return (await desk.get(assets.list, { query: { per_page: 100 } })).value.find((row) => row.id === id)!;
  };
  const input = (more: Body = {}) => ({
    title: '水管漏水',
    category_id: water,
    building: '一号楼',
    room: '305',
    description: '洗手池下面漏水',
    ...more,
  });
  const report = async (more: Body = {}, who: Client = staff) =>
    (await who.get(orders.create, { body: input(more) })).id;
  const act = (who: Client, id: number, action: string, more: Body = {}) =>
    who.ask(orders.act, { params: { id }, body: { action, ...more } as never });
  const state = (who: Client, id: number, s: number, more: Body = {}) =>
    who.ask(orders.statePost, { params: { id }, body: { s, ...more } });
  const get = async (id: number, who: Client = desk) => (await who.get(orders.get, { params: { id } })).value;
  const done = async (answer: Promise<{ code: number; msg: string }>) => {
    const found = await answer;
    expect(found).toMatchObject({ code: 0 });
    return found;
  };
  const finish = (who: Client, id: number, more: Body = {}) => state(who, id, 6, { result: '更换了密封圈', ...more });
  /** Makes an order and moves it to a stage. */
  const walked = async (stage: 10 | 20 | 30 | 40 | 60 | 70, more: Body = {}, who: Client = staff) => {
    const id = await report(more, who);
    if (stage >= 20) await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
    if (stage >= 30) await done(act(jia, id, 'take'));
    if (stage >= 40) await done(act(jia, id, 'start'));
    if (stage >= 60) await done(finish(jia, id));
    if (stage >= 70) await done(state(who, id, 4));
    return id;
  };
  /** Uploads a picture; returns its id. */
  const picture = async (who: Client): Promise<number> => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#88a' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('module', 'orders');
    form.set('file', new Blob([new Uint8Array(bytes)]), '现场.png');
    const answer = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await answer.json()) as { data: { id: number } }).data.id;
  };
  const news = async (who: Client, words: string) =>
    (await who.get(messages.read, { query: { all: true, search_value: words, per_page: 100 } })).value;
  return {
    ...school,
    app,
    team,
    desk,
    second,
    chief,
    jia,
    xia,
    fu,
    water,
    sql,
    category,
    asset,
    input,
    report,
    act,
    state,
    get,
    done,
    finish,
    walked,
    news,
    picture,
    colleague,
  };
}
