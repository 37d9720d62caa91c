import { openTestApp, type Client } from '#apps/server/testing.ts';
import { messages } from '#modules/messages/contract.ts';
import { folders } from '../contract.ts';
import type { CategoryNode } from '../contract/rows.ts';

/** All that may be done with papers. */
export const every = ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] as const;
const tree = ['Create', 'Retrieve', 'Update', 'Delete'] as const;

/** A house with somebody who writes papers, somebody a department below another, and somebody outside. */
export async function openLibrary() {
  const app = await openTestApp();
  const party = await app.dept('党政办');
  const finance = await app.dept('财务处');
  const section = await app.dept('会计科', finance);
  const staff = (dept: number) => app.clerk({ 'folder/index': ['Retrieve'] }, { dept, dataScope: 5 });
  const author = await app.clerk({ 'folder/papers': [...every], 'folder/category': [...tree] }, { dept: party });
  const category = (await author.get(folders.categories))[0]!.id;
  const draft = (more: object = {}) => ({
    title: '差旅费管理办法',
    category_id: category,
    dept: party,
    publish_date: '2026-03-01',
    content: '第一章 总则\n一、为规范差旅费管理，制定本办法。',
    scope: { all: true },
    ...more,
  });
  return {
    office: app,
    party,
    finance,
    section,
    category,
    author,
    insider: await staff(section),
    outsider: await staff(party),
    staff,
    draft,
    write: async (more: object = {}, who = author) =>
      (await who.get(folders.createPaper, { body: draft({ status: 1, ...more }) as never })).id!,
    change: (id: number, body: object, who = author) =>
      who.ask(folders.updatePaper, { params: { id }, body: body as never }),
    paper: (who: Client, id: number) => who.get(folders.paper, { params: { id } }),
    found: async (who: Client, query: object = {}) =>
      (await who.get(folders.papers, { query: { per_page: 100, ...query } as never })).value.map((row) => row.id),
    read: (who: Client, paper_id: number) => who.get(folders.read, { query: { paper_id } }),
    confirm: (who: Client, paper_id: number) => who.ask(folders.answer, { body: { paper_id, confirm: true } }),
    titles: async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title),
    sheet: async (who: Client) => Buffer.from(await (await who.fetch('/api/folder/papers/?export=xlsx')).arrayBuffer()),
  };
}
export const flat = (nodes: CategoryNode[]): CategoryNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
