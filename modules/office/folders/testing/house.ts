import { expect } from 'vitest';
import { appoint } from '#apps/server/testing/school.ts';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { workflowByKey } from '#modules/workflow/workflows/service.ts';
import { folderCategories, folders } from '../contract.ts';
import type { CategoryNode } from '../contract/categories.ts';

/** All permission codes of papers. */
export const every = ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] as const;
const tree = every.slice(0, 4);
export const flat = (nodes: CategoryNode[]): CategoryNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

/** A house with a writer of papers, and the permissions of everybody. */
async function openHouse(name: string, dataScope?: number) {
  const app = await openTestApp();
  const dept = await app.dept(name);
  const grants = {
    'folder/papers': [...every],
    'folder/category': tree,
    'folder/statistics': [...every.slice(1, 2), 'daochu' as const],
  };
  const author = await app.clerk(grants, { dept, ...(dataScope ? { dataScope } : {}) });
  const draft = (more: object = {}) => ({
    title: '差旅费管理办法',
    dept,
    publish_date: '2026-03-01',
    content: '第一章 总则\n一、为规范差旅费管理，制定本办法。',
    scope: { all: true },
    ...more,
  });
  return {
    office: app,
    dept,
    author,
    draft,
    write: async (more: object = {}, who = author) =>
      (await who.get(folders.createPaper, { body: draft({ status: 1, ...more }) as never })).id!,
    change: (id: number, body: object, who = author) => who.ask(folders.updatePaper, { params: { id }, body: body }),
    paper: (who: Client, id: number) => who.get(folders.paper, { params: { id } }),
    codeOf: async (who: Client, id: number) => (await who.ask(folders.paper, { params: { id } })).code,
    read: (who: Client, paper_id: number) => who.get(folders.read, { query: { paper_id } }),
    confirm: (who: Client, paper_id: number, answers?: number[]) =>
      who.ask(folders.answer, { body: { paper_id, confirm: true, ...(answers ? { answers } : {}) } }),
    titles: async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title),
    /** Uploads a file that no paper has yet. */
    upload: async (who: Client, name: string) => {
      const form = new FormData();
      form.set('module', 'folders');
      form.set('file', new Blob([name]), name);
      const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
      const { code, msg, data } = (await sent.json()) as { code: number; msg: string; data: { id: number } };
      if (code !== 0) throw new Error(msg);
      return data.id;
    },
  };
}

/** The same, with a person in a sub-department and one outside. */
export async function openLibrary() {
  const house = await openHouse('党政办');
  const { office: app, author, dept: party } = house;
  const finance = await app.dept('财务处');
  const section = await app.dept('会计科', finance);
  const staff = (dept: number) => app.clerk({ 'folder/index': ['Retrieve'] }, { dept, dataScope: 5 });
  const category = (await author.get(folderCategories.list))[0]!.id;
  const draft = (more: object = {}) => house.draft({ category_id: category, ...more });
  return {
    ...house,
    party,
    finance,
    section,
    category,
    draft,
    write: (more: object = {}, who = author) => house.write({ category_id: category, ...more }, who),
    insider: await staff(section),
    outsider: await staff(party),
    staff,
    found: async (who: Client, query: object = {}) =>
      (await who.get(folders.papers, { query: { per_page: 100, ...query } })).value.map((row) => row.id),
    sheet: async (who: Client) => Buffer.from(await (await who.fetch('/api/folder/papers/?export=xlsx')).arrayBuffer()),
  };
}

/** A house in which papers on pay are approved by the head, the party office and the leader in charge, in this order. */
export async function openPayroll() {
  const house = await openHouse('人事处', 4);
  const { office: app, author, dept, paper } = house;
  const person = async (alias: string, roles: string[]) =>
    app.signIn(await app.person({ alias, dept: await app.dept(`${alias}的部门`), roles }));
  const head = await person('处长', ['staff']);
  const clerk = await person('党政办', ['office_admin']);
  const leader = await person('副校长', ['staff']);
  const reader = await person('读者', ['staff']);
  const { databases } = app.services;
  await appoint(app, dept, { leader: head, dept_ld: leader });
  const flow = (await databases.write((tx) => workflowByKey(tx, 'folder_publishing')))!;
  const made = async (body: object) => (await app.admin.get(folderCategories.add, { body: body as never })).id!;
  const strict = await made({ name: '薪酬', workflow_id: flow });
  const free = await made({ name: '通知' });
  const below = await made({ name: '津贴', parent: strict });
  const decide = async (who: Client, id: number, transition_id: number) =>
    who.ask(tickets.handle, {
      params: { id: (await paper(author, id)).ticket_id! },
      body: { transition_id, suggestion: '已阅' },
    });
  return {
    ...house,
    strict,
    below,
    flow,
    free,
    head,
    clerk,
    leader,
    reader,
    write: (more: object = {}, who = author) =>
      house.write({ title: '津贴发放办法', content: '第一章 总则', category_id: below, ...more }, who),
    decide,
    standing: async (id: number) => {
      const { status, approval, actions } = await paper(author, id);
      return { status, at: approval?.state_name, waits: approval?.waits_for, actions };
    },
    approve: async (id: number) => {
      const way = [
        [head, 3],
        [clerk, 5],
        [leader, 7],
      ] as const;
      for (const [who, transition] of way) expect((await decide(who, id, transition)).code).toBe(0);
    },
  };
}
