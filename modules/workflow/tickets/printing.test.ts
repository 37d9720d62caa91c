import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { usualTemplate } from '#modules/workflow/workflows/engine/fields/print-template.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { tickets } from './contract.ts';

let app: TestOffice;
let keeper: Client;

beforeAll(async () => {
  app = await openTestApp();
  const rights = { 'workflow/list': ['Create', 'Retrieve', 'Update', 'Delete'] as const };
  const dept = await app.dept('信息中心');
  keeper = await app.clerk({ 'workflow/list': [...rights['workflow/list']] }, { alias: '流程员', dept });
}, 180_000);
afterAll(() => app.close());

const { definition } = leave;
const withTemplate = (print_template: string) => ({
  ...definition,
  name: '打印的请假',
  settings: { ...definition.settings, print_template },
});
const publish = (id: number) => keeper.ask(releaseCalls.publish, { params: { id }, body: {} });
const printed = async (id: number) => (await keeper.get(tickets.get, { params: { id } })).value.print_template;

test('a print template is sanitised, may name only existing fields, and a ticket is printed with its own version’s template', async () => {
  const dirty = '<h2>请假单</h2><p onclick="x()">理由：<span data-variable="gone"></span><script>alert(1)</script></p>';
  const { id } = await keeper.get(designCalls.add, {
    body: { name: '打印的请假', definition: withTemplate(dirty) as never },
  });
  const kept = async () => (await keeper.get(designCalls.get, { params: { id } })).definition.settings.print_template;
  expect(await kept()).toBe('<h2>请假单</h2><p>理由：<span data-variable="gone"></span></p>');
  expect((await publish(id)).msg).toContain('打印模板里的字段“gone”不存在，请从打印模板里去掉');

  const whole = usualTemplate(definition.fields as never);
  const change = (template: string) =>
    keeper.ask(designCalls.change, { params: { id }, body: { definition: withTemplate(template) as never } });
  expect(await change(whole)).toMatchObject({ code: 0 });
  // Sanitising leaves the designer's own output unchanged, or a template would change each time it is saved.
  expect(await kept()).toBe(whole);
  expect(await publish(id)).toMatchObject({ code: 0 });
  const start = () =>
    keeper.get(tickets.start, {
      body: { workflow_id: id, transition_id: 1, reason: '家中有事' } as never,
    });
  const first = await start();
  expect(await printed(first.ticket_id)).toBe(whole);

  expect(await change('<p>另一张</p>')).toMatchObject({ code: 0 });
  expect(await publish(id)).toMatchObject({ code: 0 });
  expect([await printed(first.ticket_id), await printed((await start()).ticket_id)]).toEqual([whole, '<p>另一张</p>']);
});
