import { expect } from 'vitest';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { deptPersonTable } from '#modules/people/tables.ts';
import { tickets } from '#modules/tickets/contract.ts';
import { workflowByKey } from '#modules/workflows/service.ts';
import { folders } from '../contract.ts';

/** A house where papers on pay are published by approval: by the head, the party office and the leader in charge, in this order. */
export async function openPayroll() {
  const app = await openTestApp();
  const dept = await app.dept('人事处');
  const papers = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
  const author = await app.clerk({ 'folder/papers': [...papers] }, { dept, dataScope: 4 });
  const person = async (alias: string, roles: string[]) =>
    app.signIn(await app.person({ alias, dept: await app.dept(`${alias}的部门`), roles }));
  const head = await person('处长', ['staff']);
  const clerk = await person('党政办', ['office_admin']);
  const leader = await person('副校长', ['staff']);
  const reader = await person('读者', ['staff']);
  const { databases } = app.services;
  await databases.write((tx) =>
    tx.insert(deptPersonTable).values([
      { dept_id: dept, user_id: head.userId, part: 'leader' },
      { dept_id: dept, user_id: leader.userId, part: 'dept_ld' },
    ]),
  );
  const flow = (await databases.write((tx) => workflowByKey(tx, 'folder_publishing')))!;
  const strict = (await app.admin.get(folders.createCategory, { body: { name: '薪酬', workflow_id: flow } })).id!;
  const free = (await app.admin.get(folders.createCategory, { body: { name: '通知' } })).id!;
  const below = (await app.admin.get(folders.createCategory, { body: { name: '津贴', parent: strict } })).id!;
  const written = (more: object = {}) => ({
    title: '津贴发放办法',
    category_id: below,
    dept,
    publish_date: '2026-03-01',
    content: '第一章 总则',
    scope: { all: true },
    status: 1 as const,
    ...more,
  });
  const write = async (more: object = {}, who = author) =>
    (await who.get(folders.createPaper, { body: written(more) as never })).id!;
  const change = (id: number, body: object, who = author) =>
    who.ask(folders.updatePaper, { params: { id }, body: body as never });
  const paper = (who: Client, id: number) => who.get(folders.paper, { params: { id } });
  const codeOf = async (who: Client, id: number) => (await who.ask(folders.paper, { params: { id } })).code;
  const decide = async (who: Client, id: number, transition_id: number) =>
    who.ask(tickets.handle, {
      params: { id: (await paper(author, id)).ticket_id! },
      body: { transition_id, suggestion: '已阅' },
    });
  const standing = async (id: number) => {
    const { status, approval, actions } = await paper(author, id);
    return { status, at: approval?.state_name, waits: approval?.waits_for, actions };
  };
  const approve = async (id: number) => {
    for (const [who, transition] of [
      [head, 3],
      [clerk, 5],
      [leader, 7],
    ] as const)
      expect((await decide(who, id, transition)).code).toBe(0);
  };
  return {
    office: app,
    dept,
    strict,
    below,
    flow,
    free,
    author,
    head,
    clerk,
    leader,
    reader,
    written,
    write,
    change,
    paper,
    codeOf,
    decide,
    standing,
    approve,
  };
}
