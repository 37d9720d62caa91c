import { expect } from 'vitest';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { deptPersonTable } from '#modules/platform/people/tables.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { contractCategories } from '../contract/categories.ts';
import { contracts } from '../contract/contracts.ts';
import { registerCalls } from '../contract/performing/register.ts';

/** The day the given number of days from today, as `YYYY-MM-DD`. */
export const inDays = (days: number) =>
  new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);

/** A house where contracts are drafted, approved, signed and performed. */
export async function openContracts() {
  const app = await openTestApp();
  const dept = await app.dept('后勤处');
  const person = async (alias: string, roles: string[], where?: number) =>
    app.signIn(await app.person({ alias, dept: where ?? (await app.dept(`${alias}的部门`)), roles }));
  const author = await person('经办人', ['staff'], dept);
  const head = await person('处长', ['staff', 'dept_fzr']);
  const leader = await person('副校长', ['staff', 'dept_ld']);
  const school = await person('校长', ['staff', 'xld']);
  const legal = await person('法务', ['staff', 'legal']);
  const finance = await person('财务', ['staff', 'finance']);
  const manager = await person('合同管理员', ['staff', 'contract_manager']);
  const outsider = await person('旁人', ['staff']);
  await app.services.databases.write((tx) =>
    tx.insert(deptPersonTable).values([
      { dept_id: dept, user_id: head.userId, part: 'leader' },
      { dept_id: dept, user_id: leader.userId, part: 'dept_ld' },
    ]),
  );
  const categories = (await manager.get(contractCategories.list)).flatMap((one) => [one, ...one.children]);
  const category = categories.find((one) => one.code === 'CG')!.id;
  const byState: Record<string, Client> = {
    部门负责人审核: head,
    法务审核: legal,
    财务审核: finance,
    分管领导审批: leader,
    校领导审批: school,
  };

  const draft = (more: object = {}) => {
    const amount = (more as { amount?: number }).amount ?? 1000;
    return {
      name: '打印纸采购合同',
      category_id: category,
      our_party: '示范大学',
      parties: [{ name: '晨光文具有限公司' }],
      pay_direction: 1,
      amount,
      start_date: inDays(0),
      end_date: inDays(300),
      content: '<p>甲乙双方约定如下。</p>',
      plans: [{ kind: 1, name: '合同款', plan_date: inDays(30), plan_amount: amount }],
      ...more,
    };
  };
  const ask = (who: Client, more: object = {}) => who.ask(contracts.create, { body: draft(more) as never });
  const write = async (more: object = {}, who = author) =>
    (await who.get(contracts.create, { body: draft({ submit: true, ...more }) as never })).id;
  const one = async (id: number, who: Client = manager) => (await who.get(contracts.get, { params: { id } })).value;
  const decide = async (who: Client, id: number, agrees: boolean, more: object = {}) => {
    const ticket = (await one(id, who)).ticket_id!;
    const { transitions } = await who.get(tickets.get, { params: { id: ticket } }).then((got) => got.value);
    const way = transitions.find((each) => each.attribute_type_id === (agrees ? 1 : 2))!;
    const form =
      (await one(id, who)).state_name === '法务审核' && agrees ? { risk_level: '1', legal_opinion: '可签' } : {};
    const body = { transition_id: way.transition_id, suggestion: agrees ? '同意' : '请修改', ...form, ...more };
    return who.ask(tickets.handle, { params: { id: ticket }, body: body });
  };
  /** Passes every step up to the given one, or to the end. */
  const approve = async (id: number, until = '') => {
    for (;;) {
      const { state_name, act_state } = await one(id);
      if (act_state !== 1 || state_name === until) return id;
      const answer = await decide(byState[state_name]!, id, true);
      expect([state_name, answer.code === 0 ? '' : answer.msg]).toEqual([state_name, '']);
    }
  };
  const upload = async (who: Client, name = '扫描件.pdf') => {
    const form = new FormData();
    form.set('module', 'contracts');
    form.set('file', new Blob([`%PDF-1.4 ${name} ${crypto.randomUUID()}`]), name);
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    const { code, msg, data } = (await sent.json()) as { code: number; msg: string; data: { id: number } };
    if (code !== 0) throw new Error(msg);
    return data.id;
  };
  const register = (who: Client, id: number, body: object) =>
    who.ask(registerCalls.register, { params: { id }, body: body as never });
  const sign = async (id: number, more: object = {}, who = author) => {
    const copies = { copies_total: 4, copies_kept: 2, keeper: manager.userId };
    const input = { type: 'sign', sign_date: inDays(0), signed_file: await upload(who), authority: 1, ...copies };
    const answer = await register(who, id, { ...input, ...more });
    expect(answer.msg).toBe('登记成功');
    return id;
  };
  return {
    app,
    dept,
    category,
    categories,
    author,
    head,
    leader,
    school,
    legal,
    finance,
    manager,
    outsider,
    draft,
    ask,
    write,
    one,
    decide,
    approve,
    upload,
    register,
    sign,
    running: async (more: object = {}) => sign(await approve(await write(more))),
    pay: async (id: number, amount: number, more: object = {}, who: Client = finance) => {
      const [row] = (await one(id)).performance.filter((each) => each.kind === 1 || each.kind === 2);
      const files = 'files' in more ? [] : [await upload(who, '凭证.pdf')];
      const about = {
        type: 'performance',
        performance_id: row!.id,
        date: inDays(0),
        amount,
        files,
      };
      return register(who, id, {
        ...about,
        ...more,
      });
    },
    listed: async (who: Client, query: object = {}) =>
      (
        await who.get(contracts.list, {
          query: {
            per_page: 100,
            ...query,
          },
        })
      ).value.map((row) => row.id),
    ledger: (query: object = {}, who: Client = manager) =>
      who.get(contracts.manage, {
        query: {
          per_page: 100,
          ...query,
        },
      }),
    told: async (who: Client) => (await who.get(messages.unread)).value.map((row) => row.title),
    sql: (text: string, values: unknown[] = []) => app.services.databases.pool.query(text, values),
  };
}
