import { afterAll, expect, test } from 'vitest';
import type { BodyOf } from '#kernel/contract/call.ts';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { contracts } from './contract/contracts.ts';
import { contractTemplates } from './contract/templates.ts';
import { contractTexts } from './contract/texts.ts';
import { para, wordFile } from '#modules/office/documents/testing/word.ts';
import { openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, head, legal, manager, outsider, write, one, approve, decide, sql } = house;
afterAll(app.close);

const offered = await author.get(contractTemplates.templateOptions, { query: {} });
const standard = offered.find((row) => row.name === '采购合同示范文本')!;
const values = { place: '东区仓库', goods: '打印纸 100 箱', days: '12' };
const fromTemplate = {
  content: undefined,
  text_mode: 1,
  template_version_id: standard.version_id,
  text_values: values,
};
const textOf = (id: number, who = author) => who.get(contractTexts.html, { params: { id } });
const html = async (id = standard.id) => author.get(contractTemplates.templateHtml, { params: { id }, query: {} });
const template = (more: object = {}): BodyOf<typeof contractTemplates.addTemplate> => ({
  name: `模板 ${Date.now()}`,
  category_id: house.category,
  content: '<p>正文</p>',
  variables: [],
  ...more,
});
const variable = (key: string, label = key) => ({ key, label, type: 'text' as const, required: true, source: null });

test('an untouched standard text skips the legal review, one changed character in a locked clause does not', async () => {
  const big = { ...fromTemplate, amount: 600_000 };
  const id = await write(big);
  expect(await one(id)).toMatchObject({ is_standard_text: true, need_legal: false });
  const { content } = await html();
  const touched = await write({ ...big, content: content.replace('十日内', '三日内') });
  expect(await one(touched)).toMatchObject({ is_standard_text: false, need_legal: true });
  expect((await textOf(touched)).template_diff.filter((part) => part.kind !== 'same')).toEqual([
    { kind: 'gone', text: '十' },
    { kind: 'new', text: '三' },
  ]);
  // For a change outside the locked clauses, category and amount decide.
  const beside = await write({ ...fromTemplate, content: content.replace('质保期自', '质保期间自') });
  expect(await one(beside)).toMatchObject({ is_standard_text: false, need_legal: false });
  const formed = await write({ ...big, content: content.replaceAll('<p>', '<p style="text-align: left">') });
  expect(await one(formed)).toMatchObject({ is_standard_text: true, need_legal: false });
});

test('an approved contract shows the text its approvers saw: with any other hash it cannot be approved', async () => {
  const id = await approve(await write(fromTemplate), '财务审核');
  const seen = await textOf(id, house.finance);
  expect(seen.html).toContain('打印纸 100 箱');
  expect(seen.sha256).toMatch(/^[0-9a-f]{64}$/);
  await sql(`update contract set text_values = text_values || '{"goods": "复印纸 1 箱"}' where id = $1`, [id]);
  expect((await textOf(id)).html).toContain('打印纸 100 箱');
  await decide(house.finance, id, true);
  const last = await decide(house.leader, id, true);
  expect([last.code, last.msg]).toEqual([4010, expect.stringContaining('与送审的第 1 版不一致')]);
  expect(await one(id)).toMatchObject({ act_state: 1, stage: 10, contract_no: '' });
  await sql('update contract set text_values = $2 where id = $1', [id, JSON.stringify(values)]);
  expect((await decide(house.leader, id, true)).code).toBe(0);
  await expect(sql("update contract_text set html = '' where contract_id = $1", [id])).rejects.toThrow('append-only');
});

test('the text of every round stays readable together with its changes', async () => {
  const id = await write({ content: '<p>乙方三日内交货。</p>' });
  await decide(head, id, false);
  const again = { content: '<p>乙方五日内交货。</p>' };
  expect((await author.ask(contracts.again, { params: { id }, body: again as never })).code).toBe(0);
  const versions = await author.get(contractTexts.versions, { params: { id } });
  expect(versions.map((row) => [row.no, row.html, row.who])).toEqual([
    [2, '<p>乙方五日内交货。</p>', '经办人'],
    [1, '<p>乙方三日内交货。</p>', '经办人'],
  ]);
  expect(versions[0]!.diff.map((part) => part.kind)).toEqual(['same', 'gone', 'new', 'same']);
  expect(versions[1]!.diff).toEqual([]);
  expect(versions[0]!.sha256).not.toBe(versions[1]!.sha256);
});

test('a file submitted as the contract’s text stays with its round when it is replaced later', async () => {
  const [first, second] = [await house.upload(author, '一稿.pdf'), await house.upload(author, '二稿.pdf')];
  const id = await write({ text_mode: 3, file: first });
  await decide(head, id, false);
  const answer = await author.ask(contracts.again, { params: { id }, body: { file: second } as never });
  expect(answer.code).toBe(0);
  const versions = await author.get(contractTexts.versions, { params: { id } });
  expect(versions.map((row) => row.file?.name)).toEqual(['二稿.pdf', '一稿.pdf']);
  expect((await author.fetch(`/api/file/${first}/`)).status).toBe(200);
});

test('saving a draft whose uploaded file is gone asks for the file again', async () => {
  const gone = { text_mode: 3, file: 999_999, submit: false };
  expect((await house.ask(author, gone)).msg).toBe('所选文件已失效或不属于您，请重新上传');
  const { id } = (await house.ask(author, { submit: false })).data;
  const saved = await author.ask(contracts.update, { params: { id }, body: gone as never });
  expect(saved.msg).toBe('所选文件已失效或不属于您，请重新上传');
});

test('the other side’s Word draft is shown beside its file and compared with the version submitted before', async () => {
  const sendWord = async (words: string, name: string) => {
    const form = new FormData();
    form.set('module', 'contracts');
    form.set('file', new Blob([new Uint8Array(wordFile(para(words)))]), name);
    const sent = await author.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await sent.json()) as { data: { id: number; sha256: string } }).data;
  };
  const id = await write({ content: '<p>乙方三日内交货。</p>' });
  await decide(head, id, false);
  const draft = await sendWord('乙方五日内交货。', '对方修改稿.docx');
  const changing = { params: { id }, body: { text_mode: 3, file: draft.id, version: (await one(id)).version } };
  expect((await author.ask(contracts.update, changing as never)).code).toBe(0);
  await expect.poll(async () => (await textOf(id)).file?.words.trim()).toBe('乙方五日内交货。');
  const read = await textOf(id);
  expect(read.file?.card.name).toBe('对方修改稿.docx');
  const changed = [
    { kind: 'gone', text: '三' },
    { kind: 'new', text: '五' },
  ];
  expect(read.sent_diff.filter((part) => part.kind !== 'same')).toEqual(changed);

  expect((await author.ask(contracts.again, { params: { id }, body: {} as never })).code).toBe(0);
  const [second] = await author.get(contractTexts.versions, { params: { id } });
  expect([second?.file?.name, second?.sha256]).toEqual(['对方修改稿.docx', draft.sha256]);
  expect(second?.diff.filter((part) => part.kind !== 'same')).toEqual(changed);
  expect((await textOf(id, head)).sent_diff).toEqual([]);

  await decide(head, id, false);
  const other = await sendWord('乙方七日内交货。', '再改.docx');
  expect((await author.ask(contracts.again, { params: { id }, body: { file: other.id } as never })).code).toBe(0);
  await expect
    .poll(async () => (await author.get(contractTexts.versions, { params: { id } }))[0]?.diff.map((part) => part.kind))
    .toEqual(['same', 'gone', 'new', 'same']);
});

test('a template is plain text: {{constructor}}, <script>, =cmd and nested variables come out as written', async () => {
  const odd = '{{constructor}} =cmd ${name} <%= 1 %>';
  const content = `<p>${odd.replace('<', '&lt;')}</p><script>alert(1)</script><p onclick="x()">供货：<span data-variable="goods" onclick="y()">旧<b>名</b></span></p>`;
  const body = template({ content, variables: [variable('goods'), variable('other')] });
  const { id } = await manager.get(contractTemplates.addTemplate, { body });
  await manager.get(contractTemplates.changeTemplate, { params: { id: id! }, body: { status: 1 } });
  const { value: listed } = await manager.get(contractTemplates.templates, {
    query: { category_id: house.category, status: 1, search_value: body.name },
  });
  expect(listed).toMatchObject([{ id, name: body.name, status: 1 }]);
  expect((await author.ask(contractTemplates.templates, { query: {} })).code).toBe(4003);
  const kept = await html(id!);
  expect(kept.content).toBe(
    '<p>{{constructor}} =cmd ${name} &lt;%= 1 %&gt;</p><p>供货：<span data-variable="goods"></span></p>',
  );
  const goods = '<script>x</script><span data-variable="other"></span>{{other}}=cmd|calc';
  const made = await write({ ...fromTemplate, template_version_id: kept.version_id, text_values: { goods } });
  const text = (await textOf(made)).html;
  expect(text).toContain(
    '&lt;script&gt;x&lt;/script&gt;&lt;span data-variable=&quot;other&quot;&gt;&lt;/span&gt;{{other}}=cmd|calc',
  );
  expect(text).toContain('{{constructor}} =cmd ${name} &lt;%= 1 %&gt;');
  const paper = await readPaper(Buffer.from(await (await author.fetch(`/api/contract/${made}/pdf/`)).arrayBuffer()));
  expect(
    paper.texts
      .map((piece) => piece.text)
      .join('')
      .replace(/\s/g, ''),
  ).toContain('{{constructor}}=cmd${name}');
});

test('submitting a contract names the variables not filled in, and a contract without text is refused', async () => {
  const answer = await house.ask(author, { ...fromTemplate, text_values: { place: '东区' }, submit: true });
  expect(answer.msg).toBe('合同文本里还有未填写的内容：货物名称和数量、质保期（月），请填写后再提交');
  expect((await house.ask(author, { content: '', submit: true })).msg).toContain('合同还没有文本');
  const { id } = (await house.ask(author, { ...fromTemplate, text_values: {} })).data;
  expect((await textOf(id)).unfilled).toEqual(['货物名称和数量', '履行地点', '质保期（月）']);
});

test('a template is offered while it is enabled, and deleted only while no contract was written from it', async () => {
  const { id } = await manager.get(contractTemplates.addTemplate, { body: template({ name: '借用模板' }) });
  const params = { id: id! };
  const offers = async () =>
    (await author.get(contractTemplates.templateOptions, { query: {} })).some((row) => row.id === id);
  expect(await offers()).toBe(false);
  await manager.get(contractTemplates.changeTemplate, { params, body: { status: 1 } as never });
  expect(await offers()).toBe(true);
  expect((await author.ask(contractTemplates.removeTemplate, { params })).code).toBe(4003);
  expect((await manager.ask(contractTemplates.removeTemplate, { params })).code).toBe(0);
  expect(await offers()).toBe(false);
});

test('the text of a template is fixed once a contract used it, and a changed text becomes a new version', async () => {
  const { id } = await manager.get(contractTemplates.addTemplate, { body: template({ content: '<p>甲文</p>' }) });
  const change = (body: object) =>
    manager.ask(contractTemplates.changeTemplate, { params: { id: id! }, body: body as never });
  await change({ content: '<p>乙文</p>' });
  await change({ status: 1 });
  const first = await html(id!);
  expect([first.no, first.content]).toEqual([1, '<p>乙文</p>']);
  const made = await write({ ...fromTemplate, template_version_id: first.version_id });
  await change({ content: '<p>丙文</p>', change_log: '换文' });
  const { value } = await manager.get(contractTemplates.template, { params: { id: id! } });
  expect(value.versions.map((row) => [row.no, row.used, row.change_log])).toEqual([
    [2, 0, '换文'],
    [1, 1, ''],
  ]);
  expect(value.versions[0]!.diff.map((part) => part.text).join('')).toContain('丙');
  expect((await textOf(made)).html).toBe('<p>乙文</p>');
  await expect(
    sql("update contract_template_version set content = '' where id = $1", [first.version_id]),
  ).rejects.toThrow('is used');
  const gone = await manager.ask(contractTemplates.removeTemplate, { params: { id: id! } });
  expect(gone.msg).toContain('已有 1 份合同使用，不能删除');
  expect((await change({ variables: [], content: '<p><span data-variable="nobody"></span>丁</p>' })).msg).toContain(
    'nobody',
  );
});

test('the text of a contract is readable by every route only for those who see the contract', async () => {
  const id = await write();
  for (const call of [contractTexts.html, contractTexts.versions])
    expect((await outsider.ask(call, { params: { id } })).code).toBe(4004);
  expect((await outsider.ask(contractTexts.qrcode, { query: { contract_id: id } })).code).toBe(4004);
  for (const what of ['pdf', 'sheet'])
    expect(((await (await outsider.fetch(`/api/contract/${id}/${what}/`)).json()) as { code: number }).code).toBe(4004);
  expect((await legal.ask(contractTexts.html, { params: { id } })).code).toBe(0);
});

test('each printed page has number, page and status, and strangers verify the contract without its amount', async () => {
  const id = await approve(await write({ content: '<p>约定如下。</p>'.repeat(60), name: '长合同' }));
  const { contract_no } = await one(id);
  const pdf = async () => readPaper(Buffer.from(await (await author.fetch(`/api/contract/${id}/pdf/`)).arrayBuffer()));
  const paper = await pdf();
  expect(paper.pages).toBeGreaterThan(1);
  for (let page = 1; page <= paper.pages; page += 1) {
    const words = paper.texts.filter((piece) => piece.page === page).map((piece) => piece.text.replace(/\s/g, ''));
    expect(words.join('')).toContain(`合同编号：${contract_no}`);
    expect(words.join('')).toContain(`第${page}页，共${paper.pages}页`);
    expect(words.join('')).toContain('未生效');
  }
  const { url } = await author.get(contractTexts.qrcode, { query: { contract_id: id } });
  const stranger = async () => (await fetch(new URL(new URL(url).pathname, app.url))).text();
  expect(await stranger()).toContain(contract_no);
  expect(await stranger()).not.toMatch(/1,000|1000\.00|长合同|晨光文具/);
  await house.sign(id);
  expect((await pdf()).texts.some((piece) => piece.text.includes('未生效'))).toBe(false);
  const sheet = await readPaper(Buffer.from(await (await author.fetch(`/api/contract/${id}/sheet/`)).arrayBuffer()));
  expect(sheet.find('合同审批单').page).toBe(1);
  for (const who of ['处长', '财务', '副校长']) expect(sheet.find(who).page).toBe(1);
});

test('a text uploaded as a file carries number, code and status on every page, and is sealed with its first two pages', async () => {
  const drawn = await PDFDocument.create();
  drawn.addPage([595, 842]).drawText('First page');
  drawn.addPage([842, 595]).drawText('Wide page');
  const turned = drawn.addPage([595, 842]);
  turned.setRotation(degrees(90));
  turned.drawText('Turned page');
  const form = new FormData();
  form.set('module', 'contracts');
  form.set('file', new Blob([new Uint8Array(await drawn.save())]), '对方拟的合同.pdf');
  const sent = await author.fetch('/api/file/upload/', { method: 'POST', body: form });
  const file = ((await sent.json()) as { data: { id: number } }).data.id;
  const id = await approve(await write({ text_mode: 3, file, content: '' }));
  const { contract_no } = await one(id);
  const read = async (bytes: Promise<ArrayBuffer>) => {
    const paper = await readPaper(Buffer.from(await bytes));
    return [1, 2, 3].map((page) =>
      paper.texts
        .filter((piece) => piece.page === page)
        .map((piece) => piece.text.replace(/\s/g, ''))
        .join(''),
    );
  };
  const shown = await read((await author.fetch(`/api/contract/${id}/pdf/`)).arrayBuffer());
  for (const words of shown) expect(words).toMatch(new RegExp(`page.*未生效.*合同编号：${contract_no}`));
  const final = async () =>
    (
      await sql('select f.id, f.name, f.sha256 from contract c join file f on f.id = c.final_file_id where c.id = $1', [
        id,
      ])
    ).rows[0] as { id: number; name: string };
  await expect.poll(async () => (await final()).name).toBe(`${contract_no} 打印纸采购合同.pdf`);
  const { offer } = await author.get(applicationCalls.source, { query: { module: 'contracts', id } });
  const sealed = await read((await author.fetch(offer!.files[0]!.url)).arrayBuffer());
  for (const words of sealed) {
    expect(words).toContain(`合同编号：${contract_no}`);
    expect(words).not.toContain('未生效');
  }
});
