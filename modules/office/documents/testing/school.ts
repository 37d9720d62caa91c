import { castOf } from '#apps/server/testing/school.ts';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { documents } from '../contract.ts';
import { documentRuleCalls } from '../contract/rules.ts';
import { numberRules } from '../contract/settings.ts';

type Body = Partial<BodyOf<typeof documents.create>>;

/** A school with all people in the workflow of a document. */
export async function openSchool(options: Parameters<typeof openTestApp>[0] = {}) {
  const app = await openTestApp(options);
  const { staff, principal, ...rest } = await castOf(app, { staff: '张拟稿', head: '李处长', leader: '王副校长' });
  /** The keeper of the register of incoming letters. */
  const registrar = await rest.hire('收文员', { roles: ['secretary'] });
  const school = { ...rest, author: staff, main: principal, registrar };
  const rule = (await school.clerk.get(numberRules.add, { body: { agency_code: '校发' } })).id!;
  const orgs = ['某某大学', '某某大学教务处', '某某大学党政办公室', '教务处'].join('\n');
  await school.clerk.get(documentRuleCalls.saveRule, { body: { orgs } });
  const letter = {
    doc_kind: 1 as const,
    doc_type: 8,
    title: '关于期末考试安排的通知',
    issue_org: '某某大学',
    main_send: [{ type: 'org' as const, name: '各学院' }],
    body_html: '现将期末考试安排通知如下。',
    number_rule_id: rule,
    submit: true,
  };
  const ask = (body: Body = {}, who = school.author) => who.ask(documents.create, { body: { ...letter, ...body } });
  const write = (body: Body = {}, who = school.author) => who.get(documents.create, { body: { ...letter, ...body } });
  /** The user name of the issuer that the office chooses. */
  const issuer = school.main.username;
  /** Runs the 发文 workflow by its transitions; stops before `until`. */
  const goOn = async (ticketId: number, until = 99) => {
    const { head, leader, main, clerk: context } = school;
    const way: [Client, number, object?][] = [
      [head, 3],
      [context, 7, { issuer }],
      [leader, 9],
      [main, 11],
      [context, 13],
      [context, 15],
      [context, 16],
      [context, 17],
    ];
    for (const [who, transition_id, fields] of way)
      if (transition_id < until)
        await who.get(tickets.handle, {
          params: { id: ticketId },
          body: { transition_id, suggestion: '同意', ...fields },
        });
  };
  return {
    ...school,
    rule,
    issuer,
    letter,
    ask,
    write,
    goOn,
    detail: async (who: Client, id: number) => (await who.get(documents.get, { params: { id } })).value,
    listed: async (who: Client, category?: 'all' | 'owner' | 'duty' | 'worked' | 'cc' | 'collect') =>
      (await who.get(documents.list, { query: { ...(category ? { category } : {}), per_page: 100 } })).value.map(
        (row) => row.id,
      ),
    handle: (who: Client, ticketId: number, transition_id: number, more: object = {}) =>
      who.ask(tickets.handle, { params: { id: ticketId }, body: { transition_id, suggestion: '同意', ...more } }),
  };
}
export type School = Awaited<ReturnType<typeof openSchool>>;
