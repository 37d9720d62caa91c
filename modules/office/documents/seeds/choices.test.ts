import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { letterheads } from '#modules/platform/letterheads/contract.ts';
import { seedLetterheads } from '#modules/platform/letterheads/seed.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { documents } from '../contract.ts';
import { documentCategories } from '../contract/categories.ts';
import { documentRuleCalls, issuingOrgs } from '../contract/rules.ts';
import { documentSettings, numberRules } from '../contract/settings.ts';
import { docType } from '../contract/shapes.ts';
import { seedDocuments } from '../seed.ts';

let office: TestOffice;
let author: Client;
beforeAll(async () => {
  office = await openTestApp();
  author = await office.clerk({ 'document/list': ['Create', 'Retrieve'] });
}, 180_000);
afterAll(() => office.close());

const draft = (body: object) =>
  author.ask(documents.create, { body: { doc_kind: 1, doc_type: 8, title: '关于放假的通知', ...body } });

test('a new installation has an issuer, agency codes, a letterhead, categories and fifteen kinds of letter to choose from', async () => {
  await office.admin.get(settings.saveSite, { body: { name: '某某大学' } });
  const { value: rule } = await author.get(documentRuleCalls.rule);
  expect(issuingOrgs(rule, '某某大学')).toEqual(['某某大学']);
  expect((await author.get(letterheads.list)).value.map((one) => [one.name, one.is_default])).toEqual([
    ['本单位文件', true],
  ]);
  expect((await author.get(documentSettings.agencies)).value.map((one) => one.agency_code)).toEqual(['令']);
  const kept = (await office.admin.get(numberRules.list)).value.map((one) => [one.agency_code, one.status]);
  expect(kept.toSorted()).toEqual(
    [
      ['令', 1],
      ['函', 0],
      ['发', 0],
    ].toSorted(),
  );
  const categories = await author.get(documentCategories.list);
  expect(categories.map((one) => [one.name, one.doc_kind])).toEqual([
    ['本单位发文', 1],
    ['上级来文', 2],
    ['平级来文', 2],
    ['下级来文', 2],
    ['签报', 3],
  ]);
  expect(Object.values(docType.names).filter((name) => name !== '其他')).toHaveLength(15);

  const [head] = (await author.get(letterheads.list)).value;
  const [order] = (await author.get(documentSettings.agencies)).value;
  const chosen = {
    issue_org: '某某大学',
    redhead_id: head!.id,
    number_rule_id: order!.id,
    category_id: categories[0]!.id,
    doc_type: 3,
    title: '某某大学令',
  };
  expect((await draft(chosen)).code).toBe(0);
  const off = (await office.admin.get(numberRules.list)).value.find((one) => one.agency_code === '发')!;
  for (const typed of [
    { issue_org: '某某大学办' },
    { redhead_id: 99_999 },
    { number_rule_id: off.id },
    { number_rule_id: 99_999 },
    { category_id: 99_999 },
    { doc_type: 16 },
  ])
    expect([typed, (await draft({ ...chosen, ...typed })).code]).toEqual([typed, 4000]);
});

test('an administrator may change all seeded choices, and a deleted one does not come back at the next start', async () => {
  const { admin, services } = office;
  const rules = (await admin.get(numberRules.list)).value;
  const [letters, replies] = ['发', '函'].map((code) => rules.find((one) => one.agency_code === code)!);
  const own = { agency_code: '校发', scope: '学校发文', start_no: 1, style: 1 as const, status: 1 as const };
  await admin.get(numberRules.change, { params: { id: letters!.id }, body: own });
  await admin.get(numberRules.remove, { params: { id: replies!.id } });
  const [head] = (await admin.get(letterheads.list)).value;
  await admin.get(letterheads.change, { params: { id: head!.id }, body: { name: '学校文件', is_default: true } });
  for (const { id } of await admin.get(documentCategories.list, { query: { doc_kind: 2 } }))
    await admin.get(documentCategories.remove, { params: { id } });
  await admin.get(documentRuleCalls.saveRule, { body: { orgs: '某某大学\n中共某某大学委员会' } });
  await services.databases.write(async (tx) => {
    await seedDocuments(tx);
    await seedLetterheads(tx);
  });
  expect((await admin.get(numberRules.list)).value.map((one) => one.agency_code).toSorted()).toEqual(['令', '校发']);
  expect((await admin.get(letterheads.list)).value.map((one) => one.name)).toEqual(['学校文件']);
  expect((await admin.get(documentCategories.list)).map((one) => one.name)).toEqual(['本单位发文', '签报']);
  expect((await draft({ issue_org: '中共某某大学委员会', number_rule_id: letters!.id })).code).toBe(0);
});
