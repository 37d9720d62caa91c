import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { id, line, name } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();
const groupShape = {
  name: name(30).meta(field('名称')),
  people: z
    .array(id)
    .max(500, '最多 500 人')
    .default([])
    .meta(field('成员', { help: '离岗的人不再被问到；成员变动后，等候中的待办随之增减' })),
  note: line(200).default('').meta(field('说明')),
};

/** Lists of people that an administrator keeps, for workflows to ask. */
export const userGroups = nounCalls({
  prefix: '/api/workflows/user_groups/',
  page: 'workflow/group',
  whole: true,
  noun: '用户组',
  input: groupShape,
  row: { ...z.object(groupShape).shape, members: z.string().meta(field('成员')), working: int.meta(field('在岗人数')) },
  sort: ['name'],
});

export const groupCalls = {
  simpleGroups: call({
    method: 'GET',
    path: '/api/workflows/simple_user_groups/',
    access: grant('Retrieve', 'workflow/list'),
    summary: '用户组选项',
    reply: z.object({ value: z.array(z.object({ id: int, name: z.string(), working: int })) }),
  }),
};
