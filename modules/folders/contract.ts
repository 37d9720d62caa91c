import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { absent, stale } from '#kernel/contract/refusal.ts';
import { day, done, id, idParams, line, version } from '#kernel/contract/shapes.ts';
import { sendingRefuses } from '#modules/tickets/contract/approval.ts';
import { notAttachable } from '#modules/files/contract.ts';
import { notOffered } from '#modules/tickets/contract/refusals.ts';
import { papers } from './contract/list.ts';
import { readingCalls } from './contract/reading.ts';
import { figureCalls } from './contract/statistics.ts';
import * as refusals from './contract/refusals.ts';
import { CategoryInput, CategoryNode, PaperDetail, PaperInput } from './contract/rows.ts';

const papersPage = 'folder/papers';
const categoryPage = 'folder/category';
const { categoryTaken, codeTaken, tooDeep, categoryRing, categoryInUse, unknownManagers, wholeTree } = refusals;
const savedCategory = {
  reply: done,
  refuses: [
    absent,
    stale,
    categoryTaken,
    codeTaken,
    tooDeep,
    categoryRing,
    unknownManagers,
    refusals.scopeUnknown,
    refusals.unknownFlow,
    wholeTree,
  ],
  message: '分类已保存',
};
const writing = [
  ...sendingRefuses,
  refusals.approvalClosed,
  notAttachable,
  refusals.unknownCategory,
  refusals.deptOutside,
  refusals.scopeUnknown,
  refusals.scopeEmpty,
  refusals.numberTaken,
  refusals.datesCrossed,
  refusals.deadlinePast,
  refusals.nothingToRead,
  refusals.replaceUnknown,
  refusals.replacedBefore,
];
const paperPath = '/api/folder/papers/{id}/';
const categoryPath = '/api/folder/category/{id}/';

export const folders = {
  papers,
  createPaper: call({
    method: 'POST',
    path: '/api/folder/papers/',
    access: grant('Create', papersPage),
    summary: '新增制度文件',
    /** `replace_id`: the paper this is a revision of. `status` 1 publishes it at once, or sends it to be approved where its category asks for that. */
    body: PaperInput.extend({
      replace_id: id.nullable().optional().meta({ title: '修订的文件' }),
      status: z.literal([0, 1]).default(0).meta({ title: '状态' }),
    }),
    reply: done,
    refuses: writing,
    message: '文件已保存',
  }),
  paper: call({
    method: 'GET',
    path: paperPath,
    access: signedIn,
    summary: '查看制度文件详情',
    params: idParams,
    reply: PaperDetail,
    refuses: [absent],
    fresh: true,
  }),
  updatePaper: call({
    method: 'PUT',
    path: paperPath,
    access: grant('Update', papersPage),
    summary: '编辑制度文件',
    params: idParams,
    /** What is absent stays. `status` 1 publishes a draft or sends it to be approved, 3 repeals a paper in force. */
    body: PaperInput.partial().extend({
      status: z.literal([1, 3]).optional().meta({ title: '状态' }),
      repeal_reason: line(200).optional().meta({ title: '废止原因' }),
      repeal_date: day.optional().meta({ title: '废止日期' }),
      version,
    }),
    reply: done,
    refuses: [
      ...writing,
      refusals.notInForce,
      refusals.notToPublish,
      refusals.settled,
      refusals.beingApproved,
      refusals.textKept,
      refusals.approvedKept,
      refusals.withSender,
      refusals.repealUnsaid,
    ],
    message: '文件已保存',
  }),
  removePaper: call({
    method: 'DELETE',
    path: paperPath,
    access: grant('Delete', papersPage),
    summary: '删除制度文件草稿',
    params: idParams,
    reply: done,
    refuses: [absent, refusals.notDraft, refusals.beingApproved, refusals.withSender, notOffered],
    message: '草稿已删除',
  }),
  categories: call({
    method: 'GET',
    path: '/api/folder/category/',
    access: signedIn,
    summary: '查看文件分类',
    reply: z.array(CategoryNode),
    fresh: true,
  }),
  createCategory: call({
    method: 'POST',
    path: '/api/folder/category/',
    access: grant('Create', categoryPage),
    summary: '新增文件分类',
    body: CategoryInput,
    ...savedCategory,
  }),
  updateCategory: call({
    method: 'PUT',
    path: categoryPath,
    access: grant('Update', categoryPage),
    summary: '编辑文件分类',
    params: idParams,
    body: CategoryInput.partial().extend({ version }),
    ...savedCategory,
  }),
  removeCategory: call({
    method: 'DELETE',
    path: categoryPath,
    access: grant('Delete', categoryPage),
    summary: '删除文件分类',
    params: idParams,
    reply: done,
    refuses: [absent, categoryInUse, wholeTree],
    message: '分类已删除',
  }),
  ...readingCalls,
  ...figureCalls,
};
