import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, flag, id, idParams, name } from '#kernel/contract/shapes.ts';
import { alumnusFilter } from '#modules/platform/alumni/contract/filter.ts';
import { Audience, nobody } from '#modules/platform/people/contract/audience.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';

const page = 'sms/send';

export const groupEmpty = refusal(codes.refused, () => '分组中没有接收人，请选择人员、部门、角色或校友');
export const groupNameTaken = refusal(codes.refused, (called: string) => `您已有名为“${called}”的分组，请换一个名称`);

const chosen = {
  recipients: Audience,
  alumnus_ids: z.array(id).max(100, '最多选择 100 名校友，更多请按范围选择'),
  alumnus_filter: z.object(alumnusFilter).nullable(),
};
const plain = nounCalls({
  prefix: '/api/sms/group/',
  page,
  noun: '接收人分组',
  read: grant('Create', page),
  input: {
    name: name(30).meta({ title: '名称' }),
    recipients: chosen.recipients.default(nobody).meta({ title: '人员' }),
    alumnus_ids: chosen.alumnus_ids.default([]).meta({ title: '校友' }),
    alumnus_filter: chosen.alumnus_filter.default(null).meta({ title: '校友范围' }),
  },
  row: {
    name: z.string(),
    ...chosen,
    shared: z.boolean(),
    owner_name: z.string(),
    mine: z.boolean(),
    /** Cards of its people. */
    known: z.array(PersonCard),
  },
  sort: ['name'],
});

/** Named groups of recipients: each sender's own. Sharing them with the department requires a permission of its own. */
export const smsGroups = {
  ...plain,
  change: { ...plain.change, access: grant('Create', page) },
  remove: { ...plain.remove, access: grant('Create', page) },
  share: call({
    method: 'PUT',
    path: '/api/sms/group/{id}/share/',
    access: grant('Update', page),
    summary: '共享接收人分组',
    params: idParams,
    body: z.object({ shared: flag.meta({ title: '本部门共用' }) }),
    reply: done,
    message: '共享设置已保存',
  }),
};
