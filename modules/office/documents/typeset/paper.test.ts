import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { letterheads } from '#modules/platform/letterheads/contract.ts';
import { documents } from '../contract.ts';
import { documentLayout } from '../contract/layout.ts';
import { openSchool, type School } from '../testing/school.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

type Who = School['author'];
const paperOf = async (who: Who, id: number, what: 'pdf' | 'sheet' = 'pdf') => {
  const response = await who.fetch(`/api/document/${id}/${what}/`);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return Buffer.from(await response.arrayBuffer());
};
const check = async (who: Who, id: number) => who.get(documentLayout.check, { params: { id } });
const site = async (change: object) => {
  const { version } = await school.office.admin.get(settings.site);
  await school.office.admin.get(settings.saveSite, { body: { ...change, version } });
};

describe('the paper of a document', () => {
  test('is seen by everybody who sees the document, and by nobody else', async () => {
    const { author, head, stranger, write } = school;
    const { id } = await write();
    for (const who of [author, head])
      expect((await readPaper(await paperOf(who, id))).find('关于期末考试安排的通知').size).toBeCloseTo(22, 1);
    for (const call of [documentLayout.check, documentLayout.pdf, documentLayout.sheet])
      expect((await stranger.ask(call, { params: { id } })).code).toBe(4004);
  }, 180_000);

  test('has the letterhead chosen, else that of its type, else the default', async () => {
    const { author, clerk, write } = school;
    const head = (body: object) =>
      clerk.get(letterheads.add, { body: { colour: '#e60012', ...body } as never }).then(({ id }) => id!);
    await head({ name: '默认', org_line: '默认文件', is_default: true });
    const chosen = await head({ name: '专用', org_line: '专用文件' });
    const marks = async (body: object) => (await readPaper(await paperOf(author, (await write(body)).id))).texts;
    const words = async (body: object) => (await marks(body)).map((one) => one.text.replace(/\s/g, '')).join('');
    expect(await words({})).toContain('默认文件');
    expect(await words({ redhead_id: chosen })).toContain('专用文件');
    await head({ name: '通知', org_line: '通知用头', doc_types: [8] });
    expect(await words({})).toContain('通知用头');
    expect((await author.ask(letterheads.add, { body: { name: '越权' } })).code).toBe(4003);
    expect((await clerk.ask(letterheads.add, { body: { name: '蓝色', colour: '#0000ff' } })).code).toBe(4000);
    expect((await clerk.ask(letterheads.add, { body: { name: '专用' } })).msg).toContain('已经有了');
    await clerk.get(letterheads.remove, { params: { id: chosen } });
    expect((await author.get(letterheads.list)).value.map((one) => one.name)).toEqual(['默认', '本单位文件', '通知']);
  }, 180_000);

  test('is finished with its number, follows its fields, and is fixed once the document is finished', async () => {
    const { author, clerk, write, goOn, detail, office: app } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 16);
    const finalOf = async (not = 0) =>
      eventually(async () => {
        const found = (await detail(author, id)).final_file;
        expect(found !== null && found.id !== not).toBe(true);
        return found!;
      });
    const first = await finalOf();
    expect(first.name).toMatch(/^校发〔\d{4}〕\d+号 关于期末考试安排的通知\.pdf$/);
    await clerk.get(documents.update, { params: { id }, body: { print_org: '某某大学党委办公室' } });
    const second = await finalOf(first.id);
    const bytes = Buffer.from(await (await author.fetch(second.url)).arrayBuffer());
    expect((await readPaper(bytes)).find('某某大学党委办公室').page).toBe(2);
    for (const transition_id of [16, 17])
      await clerk.get(tickets.handle, { params: { id: ticket_id }, body: { transition_id, suggestion: '好' } });
    await eventually(async () => {
      const { rows } = await app.db.execute(`select final_frozen from document where id = ${id}`);
      expect(rows[0]?.['final_frozen']).toBe(true);
    });
    expect((await detail(author, id)).final_file?.id).toBe(second.id);
    expect((await paperOf(author, id)).equals(bytes)).toBe(true);
    expect((await school.stranger.fetch(`/api/file/${second.id}/`)).headers.get('content-type')).toContain('json');
  }, 180_000);

  test('of three organisations has their marks, signers and three signatures side by side, also in the finished PDF', async () => {
    const { author, write, goOn, detail, issuer } = school;
    const joint = {
      doc_type: 11,
      title: '某某大学等三单位关于共建实验教学中心的请示',
      joint_orgs: ['某某省教育厅', '某某市人民政府'],
      main_send: [{ type: 'org' as const, name: '某某省人民政府' }],
      contact_name: '张三',
      contact_phone: '010-1234',
      issuer,
    };
    const names = (await school.ask({ ...joint, joint_issuers: ['李四', '王五', '赵六'] })).data as unknown as object;
    expect(JSON.stringify(names)).toContain('联合发文机关只有 2 个');
    const { id, ticket_id } = await write({ ...joint, joint_issuers: ['李建国'] });
    await goOn(ticket_id);
    const final = await eventually(async () => {
      const found = (await detail(author, id)).final_file;
      expect(found).not.toBeNull();
      return found!;
    });
    const paper = await readPaper(Buffer.from(await (await author.fetch(final.url)).arrayBuffer()));
    const words = paper.texts.map((one) => one.text.replace(/\s/g, '')).join('');
    expect(words).toMatch(/某某大学某某省教育厅.*文件|某某大学.*某某市人民政府/);
    expect(words).toMatch(/签发人：陈校长李建国/);
    const signed = ['某某大学', '某某省教育厅', '某某市人民政府'].map((name) =>
      paper.texts.findLast((one) => one.text.replace(/\s/g, '') === name)!,
    );
    expect(new Set(signed.map((one) => one.y.toFixed(1))).size).toBe(1);
    expect(signed.map((one) => one.x)).toEqual(signed.map((one) => one.x).toSorted((a, b) => a - b));
  }, 180_000);

  test('of a secret document carries its viewer’s name by every route', async () => {
    const { author, detail, write } = school;
    await site({ allow_secret: true });
    const { id } = await write({ secret_level: 1, secret_period: '1年', copy_no: '000001' });
    await site({ allow_secret: false });
    for (const what of ['pdf', 'sheet'] as const) {
      const { texts } = await readPaper(await paperOf(author, id, what));
      expect(texts.map((one) => one.text).join('')).toContain('张拟稿');
    }
    expect((await detail(author, id)).secret_level).toBe(1);
    for (const what of ['pdf', 'sheet'] as const)
      expect((await school.stranger.fetch(`/api/document/${id}/${what}/`)).headers.get('content-type')).toContain(
        'json',
      );
  }, 180_000);

  test('of a letter that became void says so in the typeset preview and in the finished file', async () => {
    const { author, clerk, write, goOn, detail } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id);
    const final = await eventually(async () => {
      const { final_file } = await detail(author, id);
      expect(final_file).not.toBeNull();
      return final_file!;
    });
    const says = async (bytes: Buffer) => {
      const { texts, pages } = await readPaper(bytes);
      return Array.from({ length: pages }, (_none, at) =>
        texts.some((one) => one.page === at + 1 && one.text.includes('已作废')),
      );
    };
    const asFile = async () => {
      const { final_file } = await detail(author, id);
      expect(final_file!.id).toBe(final.id);
      return Buffer.from(await (await author.fetch(final_file!.url)).arrayBuffer());
    };
    expect((await says(await asFile())).includes(true)).toBe(false);
    await clerk.get(ticketActions.revoke, { params: { id: ticket_id }, body: { suggestion: '附件有误' } });
    for (const bytes of [await asFile(), await paperOf(author, id), await paperOf(author, id, 'sheet')])
      expect((await says(bytes)).every(Boolean)).toBe(true);
  }, 180_000);

  test('has the opinions of two leaders on separate lines with name and day', async () => {
    const { registrar, clerk, leader, main, handle, hire } = school;
    const { id, ticket_id } = await registrar.get(documents.create, {
      body: { doc_kind: 2, title: '关于报送材料的通知', from_org: '教育厅', received_date: '2026-11-20', submit: true },
    });
    const other = await hire('赵书记', { roles: ['xld'] });
    expect((await handle(clerk, ticket_id, 3)).code).toBe(0);
    const leaders = [leader.username, other.username, main.username];
    expect((await handle(clerk, ticket_id, 5, { leaders, lead_dept: school.dept })).code).toBe(0);
    expect((await handle(other, ticket_id, 6, { suggestion: '请尽快报送' })).code).toBe(0);
    expect((await handle(leader, ticket_id, 6, { suggestion: '请教务处牵头' })).code).toBe(0);
    const { texts } = await readPaper(await paperOf(clerk, id, 'sheet'));
    /** The full line that begins with the given words; facts of the letter are printed before opinions. */
    const lineOf = (words: string) => {
      const found = texts.find((one) => one.text.replace(/\s/g, '').includes(words));
      expect(found, words).toBeDefined();
      const beside = texts.filter((one) => one.page === found!.page && Math.abs(one.y - found!.y) < 1);
      return { y: found!.y, text: beside.map((one) => one.text.replace(/\s/g, '')).join('') };
    };
    const [first, second] = [lineOf('赵书记：请尽快报送'), lineOf('王副校长：请教务处牵头')];
    expect(Math.abs(first.y - second.y)).toBeGreaterThan(3);
    expect(first.text).toMatch(/请尽快报送\d{4}-\d\d-\d\d/);
    expect(second.text).toMatch(/请教务处牵头\d{4}-\d\d-\d\d/);
  }, 180_000);

  test('numbers its attachments without repeating a number from the uploaded file’s name', async () => {
    const { author, write } = school;
    const names = ['1.名单.csv', '2、汇总表.csv', '2026年计划.csv'];
    const attachments: number[] = [];
    for (const name of names) attachments.push(await send(author, '姓名,部门', name));
    const { id } = await write({ attachments });
    const wordsOf = async (what: 'pdf' | 'sheet') =>
      (await readPaper(await paperOf(author, id, what))).texts.map((one) => one.text.replace(/\s/g, '')).join('');
    expect(await wordsOf('pdf')).toContain('附件：1.名单2.汇总表3.2026年计划');
    expect(await wordsOf('sheet')).toContain('1.名单2.汇总表3.2026年计划');
  }, 180_000);

  test('has a processing sheet with every opinion, by whom and when', async () => {
    const { author, write, goOn } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 11);
    const sheet = await readPaper(await paperOf(author, id, 'sheet'));
    expect(sheet.find('发文稿纸').page).toBe(1);
    for (const words of ['李处长', '党政办', '王副校长', '部门核稿']) expect(sheet.find(words).page).toBe(1);
  }, 180_000);
});

describe('the layout check of a document', () => {
  const wrong = '<p>根据校发[2026]第01号,自2026.03.01起执行.</p>';

  test('finds faults, and its fixes can be sent unchanged to the editing call', async () => {
    const { author, head, write } = school;
    const { id } = await write({ body_html: wrong, submit: false });
    const { value, fixes, version } = await check(author, id);
    expect(value.map((one) => one.code)).toEqual(
      expect.arrayContaining(['number_brackets', 'date_form', 'half_width']),
    );
    await author.get(documents.update, { params: { id }, body: { ...fixes, version } });
    const again = await check(author, id);
    expect(again.value.filter((one) => one.field === 'body_html')).toEqual([]);
    expect((await head.ask(documentLayout.check, { params: { id } })).code).toBe(4004);
  });

  test('offers a fix only to people who may edit', async () => {
    const { author, head, write } = school;
    const { id } = await write({ body_html: wrong });
    expect([(await check(author, id)).fixes, (await check(author, id)).value.length > 0]).toEqual([{}, true]);
    expect((await check(head, id)).fixes).toHaveProperty('body_html');
  });

  test('blocks submission on errors if the site requires it', async () => {
    const { ask } = school;
    await site({ check_layout: true });
    const refused = await ask({ body_html: wrong });
    expect([refused.code, JSON.stringify(refused.data)]).toEqual([4000, expect.stringContaining('六角括号')]);
    expect((await ask()).code).toBe(0);
    await site({ check_layout: false });
    expect((await ask({ body_html: wrong })).code).toBe(0);
  });
});

describe('the body of a document', () => {
  test('is sanitised when saved, found by its text, and limited by its readable length', async () => {
    const { author, write, detail } = school;
    const { id } = await write({ body_html: '<p onclick="x">期末<b>珍珠港</b></p><script>alert(1)</script>' });
    expect((await detail(author, id)).body_html).toBe('<p>期末<strong>珍珠港</strong></p>');
    const { value } = await author.get(documents.list, { query: { search_value: '珍珠港' } });
    expect(value.map((row) => row.id)).toEqual([id]);
    const long = await school.ask({ body_html: `<p>${'长'.repeat(100_001)}</p>` });
    expect([long.code, JSON.stringify(long.data)]).toEqual([4000, expect.stringContaining('最多 100000 个字')]);
    expect((await school.ask({ body_html: '<p><br></p>' })).code).toBe(4000);
  });
});
