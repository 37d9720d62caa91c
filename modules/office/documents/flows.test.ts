import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { folderCategories } from '#modules/office/folders/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { designCalls, type Design } from '#modules/workflow/workflows/contract/design.ts';
import { partCalls } from '#modules/workflow/workflows/contract/parts.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { documentCategories } from './contract/categories.ts';
import { openSchool, type School } from './testing/school.ts';

type Definition = Design['definition'];
let school: School;
let keeper: Client;
let serial = 0;

beforeAll(async () => {
  school = await openSchool();
  keeper = school.office.admin;
}, 180_000);
afterAll(() => school.office.close());

const flows = async (query: object = {}, who = keeper) =>
  (await who.get(workflows.list, { query: { per_page: 100, ...query } })).value;
const flowOf = async (key: string) => (await flows()).find((one) => one.key === key)!;
const copyOf = async (key: string, name = `副本 ${++serial}`) =>
  (await keeper.get(designCalls.add, { body: { name, copy_of: (await flowOf(key)).id } })).id;
const design = (id: number) => keeper.get(designCalls.get, { params: { id } });
const publish = (id: number, body: object = {}) => keeper.ask(releaseCalls.publish, { params: { id }, body });
const problemsOf = async (id: number) => (await publish(id, { dry_run: true })).data.problems.map((one) => one.msg);
async function edit(id: number, change: (definition: Definition) => Definition) {
  const { definition } = await design(id);
  return keeper.get(designCalls.change, { params: { id }, body: { definition: change(definition) } });
}
/** A state drawn again in place of another, as in the designer; only its label keeps the meaning. */
const redrawn =
  (key: string) =>
  (definition: Definition): Definition => {
    const old = definition.states.find((state) => state.key === key)!;
    const id = 90 + old.id;
    const to = (state: number) => (state === old.id ? id : state);
    return {
      ...definition,
      states: definition.states.map((state) =>
        state === old ? { ...old, id, key: `state_${id}`, label: { x: 10, y: 10 } } : state,
      ),
      transitions: definition.transitions.map((one) => ({
        ...one,
        source: to(one.source),
        destination: to(one.destination),
      })),
    };
  };
const changed = (key: string, part: Partial<Definition['states'][number]>) => (definition: Definition) => ({
  ...definition,
  states: definition.states.map((state) => (state.key === key ? { ...state, ...part } : state)),
});
const category = (workflow_id: number, body: object = {}) =>
  school.clerk.ask(documentCategories.add, {
    body: {
      name: `类别 ${++serial}`,
      code: `LB${serial}`,
      doc_kind: 1,
      number_rule_id: school.rule,
      workflow_id,
      ...body,
    },
  });

describe('a copied workflow of documents', () => {
  test('still belongs to documents, and a letter follows its changed path to signature and number', async () => {
    const id = await copyOf('document_sending', '合同类发文');
    expect(await design(id)).toMatchObject({ module: 'documents', module_name: '公文' });
    expect((await category(id)).msg).toContain('流程不存在、未发布，或不是公文流程');

    await edit(id, redrawn('sign'));
    const refused = await publish(id);
    const sentence =
      '到环节“登记编号”之前可以不经过“签发”，公文在那里登记不了编号；请打开签发的环节，把“在公文中的含义”选为“签发”，并让每条路都经过它';
    expect([refused.code, refused.msg]).toEqual([-1, `还不能发布，有 1 个问题：${sentence}`]);

    const drawn = { params: { id, cid: 96 }, body: { label: { x: 10, y: 10, document: 'sign' } } };
    await keeper.get(partCalls.changeState, drawn);
    expect((await publish(id)).data).toMatchObject({ published: true, problems: [] });
    const offered = (await flows({ module: 'documents', status: 1 }, school.clerk)).find((flow) => flow.id === id)!;
    expect([offered.published_version, offered.can_start, offered.why_not]).toEqual([1, false, '请到“公文”页面发起']);
    const plain = { workflow_id: id, transition_id: 2, title: '绕开公文' };
    expect((await school.author.ask(tickets.start, { body: plain })).code).toBe(4004);

    const { data } = await category(id);
    const { id: letter, ticket_id } = await school.write({ category_id: data.id! });
    await school.goOn(ticket_id, 15);
    expect((await school.detail(school.clerk, letter)).body_sha256).toMatch(/^[0-9a-f]{64}$/);
    for (const step of [15, 16, 17]) expect((await school.handle(school.clerk, ticket_id, step)).code).toBe(0);
    expect(await school.detail(school.author, letter)).toMatchObject({
      act_state: 4,
      doc_number: expect.stringMatching(/^校发〔\d{4}〕\d+号$/) as string,
    });
  }, 180_000);

  test('cannot be published if a document could pass unsigned: by an empty state, a timeout or an unknown meaning', async () => {
    const id = await copyOf('document_sending');
    await edit(id, changed('sign', { on_empty: 1 }));
    expect(await problemsOf(id)).toEqual([
      '环节“签发”找不到办理人时直接通过，公文就没有签发；请改成由指定人员或流程管理员处理',
    ]);
    await edit(id, changed('sign', { on_empty: 4, timeout: { hours: 8, working_time: true, action: 2 } }));
    expect(await problemsOf(id)).toEqual(['环节“签发”超过办理时限自动同意，公文就没有签发；请改成提醒、退回或转上级']);
    await edit(id, changed('sign', { timeout: null, label: { document: 'stamp' } }));
    expect((await problemsOf(id))[0]).toBe('环节“签发”的“在公文中的含义”是“stamp”，没有这个含义，请重新选择');
    await edit(id, changed('draft', { label: { document: 'sign' } }));
    expect((await problemsOf(id))[0]).toBe(
      '环节“拟稿”的“在公文中的含义”是“签发”，但只有审批和办理环节能有这个含义；请改环节的类型，或去掉这个含义',
    );
  });

  test('requires nothing of the author that a document does not fill in, and uses the document’s title', async () => {
    const id = await copyOf('document_sending');
    await edit(id, (definition) => ({
      ...definition,
      fields: [...definition.fields, { ...definition.fields[0]!, id: 9, key: 'reason', name: '事由' }],
      states: definition.states.map((state) =>
        state.key === 'draft' ? { ...state, access: { ...state.access, reason: 2 as const } } : state,
      ),
      settings: { ...definition.settings, title_template: '发文：{title}' },
    }));
    expect(await problemsOf(id)).toEqual([
      '环节“拟稿”要求填写“事由”，公文没有这一项，提交不了；请改成可填，或让后面的环节填写',
      '标题模板是“发文：{title}”，公文的标题会跟着改变；请改成“{title}”',
    ]);
  });

  test('without a field for countersigners still accepts letters', async () => {
    const id = await copyOf('document_sending');
    await edit(id, (definition) => ({
      ...definition,
      fields: definition.fields.filter((field) => field.key === 'title'),
      states: definition.states
        .filter((state) => state.key !== 'countersign')
        .map((state) => ({
          ...state,
          access: Object.fromEntries(Object.entries(state.access).filter(([key]) => key === 'title')),
          ...(state.key === 'sign' ? { participants: [{ type: 5 as const, variable: 'xld' as const }] } : {}),
        })),
      transitions: definition.transitions
        .filter((one) => one.source !== 3)
        .map((one) => (one.destination === 3 ? { ...one, destination: 4 } : one)),
    }));
    expect((await publish(id)).data).toMatchObject({ published: true });
    const { code, data } = await category(id);
    expect(code).toBe(0);
    expect(await school.write({ category_id: data.id! })).toMatchObject({ act_state: 1 });
  });
});

describe('a workflow that documents use', () => {
  test('cannot be published without the steps that its kind of document needs, nor be chosen for a category of another kind', async () => {
    const { id } = await flowOf('document_sending');
    await edit(id, redrawn('number'));
    expect(await problemsOf(id)).toEqual([
      '流程用于发文，但没有环节的“在公文中的含义”是“登记编号”，办结的公文没有发文字号；请打开登记编号的环节，选择这个含义',
    ]);
    await keeper.get(designCalls.change, { params: { id }, body: { discard_draft: true } });
    const incoming = (await flowOf('document_receiving')).id;
    expect((await category(incoming)).msg).toContain(
      '流程用于发文，但没有环节的“在公文中的含义”是“登记编号”，办结的公文没有发文字号',
    );
    expect((await category(incoming, { doc_kind: 2 })).code).toBe(0);
    const memo = (await flowOf('document_memo')).id;
    await edit(memo, redrawn('sign'));
    expect(await problemsOf(memo)).toEqual([
      '流程用于签报，但没有环节的“在公文中的含义”是“签发”，办结的公文没有签发；请打开签发的环节，选择这个含义',
    ]);
    await keeper.get(designCalls.change, { params: { id: memo }, body: { discard_draft: true } });
  });

  test('is deleted only when no category names it any more', async () => {
    const { id, name } = await flowOf('document_memo');
    const standard = await keeper.ask(designCalls.remove, { params: { id } });
    expect([name, standard.msg]).toEqual([
      '签报',
      '公文正在使用这个流程（没有另选流程的签报），不能删除；请先在那里改选别的流程',
    ]);
    const copy = await copyOf('document_memo');
    await publish(copy);
    const { data } = await category(copy, { name: '专项签报', doc_kind: 3 });
    expect((await design(copy)).actions).not.toContain('delete');
    expect((await keeper.ask(designCalls.remove, { params: { id: copy } })).msg).toBe(
      '公文正在使用这个流程（类别“专项签报”），不能删除；请先在那里改选别的流程',
    );
    await school.clerk.get(documentCategories.remove, { params: { id: data.id! } });
    expect((await design(copy)).actions).toContain('delete');
    expect((await keeper.ask(designCalls.remove, { params: { id: copy } })).code).toBe(0);
  });
});

describe('a new workflow for documents', () => {
  test('is created for a known module or for none, and refused for an unknown module', async () => {
    const { value } = await keeper.get(designCalls.modules, {});
    expect(value.map(({ module, name }) => [module, name])).toEqual(
      expect.arrayContaining([
        ['documents', '公文'],
        ['folders', '制度文件'],
      ]),
    );
    expect(value.find((one) => one.module === 'documents')!.meanings).toContainEqual({
      key: 'document',
      title: '在公文中的含义',
      values: [
        { value: 'propose', label: '拟办' },
        { value: 'decide', label: '批示' },
        { value: 'carry', label: '承办' },
        { value: 'countersign', label: '会签' },
        { value: 'sign', label: '签发' },
        { value: 'review', label: '复核' },
        { value: 'number', label: '登记编号' },
        { value: 'print', label: '用印、印发' },
      ],
    });
    const wrong = await keeper.ask(designCalls.add, { body: { name: '无主', module: 'nobody' } });
    expect([wrong.code, wrong.msg]).toEqual([4000, '业务模块：没有业务模块“nobody”，请重新选择']);
    const { definition } = await design((await flowOf('folder_publishing')).id);
    const imported = await keeper.get(designCalls.add, { body: { name: '导入的审批', module: 'folders', definition } });
    expect(await design(imported.id)).toMatchObject({ module: 'folders', module_name: '制度文件' });
    expect((await publish(imported.id)).code).toBe(0);
    const body = { name: '规章', workflow_id: imported.id };
    expect((await keeper.ask(folderCategories.add, { body })).code).toBe(0);
    expect((await keeper.ask(designCalls.remove, { params: { id: imported.id } })).msg).toContain(
      '制度文件正在使用这个流程（分类“规章”），不能删除',
    );
    const settings = {
      ...definition.settings,
      start_for: [{ users: [], roles: ['staff'], groups: [], own_dept: true, depts: [] }],
      doubles: { fields: ['title'], days: 30, own: false, rule: 'ask' as const },
    };
    const asking = { name: '先问的审批', module: 'folders', definition: { ...definition, settings } };
    expect(await problemsOf((await keeper.get(designCalls.add, { body: asking })).id)).toEqual([
      '制度文件由自己的页面提交，提交时查重不能先询问，请改为不允许提交，或去掉查重',
      '制度文件由自己的页面提交，不能代他人发起，请去掉代他人发起的规则',
    ]);
    const plain = await keeper.get(designCalls.add, { body: { name: '普通工单' } });
    expect(await design(plain.id)).toMatchObject({ module: null, module_name: '' });
  });

  test('as seeded for each office module passes the publishing check', async () => {
    for (const key of ['document_sending', 'document_receiving', 'document_memo', 'folder_publishing'])
      expect([key, await problemsOf((await flowOf(key)).id)]).toEqual([key, []]);
  });
});
