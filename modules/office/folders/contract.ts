import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { day, done, id, idParams, line, version } from '#kernel/contract/shapes.ts';
import { papers } from './contract/list.ts';
import { PaperDetail, PaperInput } from './contract/papers.ts';
import { readingCalls } from './contract/reading.ts';
import { folderStatistics } from './contract/statistics.ts';

export { folderCategories } from './contract/categories.ts';

const page = 'folder/papers';
const path = '/api/folder/papers/{id}/';
const saved = { reply: done, message: '文件已保存' };

export const folders = {
  papers,
  createPaper: call({
    method: 'POST',
    path: '/api/folder/papers/',
    access: grant('Create', page),
    summary: '新增制度文件',
    /** `replace_id` is the paper that this one revises. `status` 1 publishes it at once, or sends it for approval if its category requires that. */
    body: PaperInput.extend({
      replace_id: id.nullable().optional().meta({ title: '修订的文件' }),
      status: z.literal([0, 1]).default(0).meta({ title: '状态' }),
    }),
    ...saved,
  }),
  paper: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看制度文件详情',
    params: idParams,
    reply: PaperDetail,
    fresh: true,
  }),
  updatePaper: call({
    method: 'PUT',
    path,
    access: grant('Update', page),
    summary: '编辑制度文件',
    params: idParams,
    /** Absent fields stay as they are. `status` 1 publishes a draft or sends it for approval, 3 repeals a paper in force. */
    body: PaperInput.partial().extend({
      status: z.literal([1, 3]).optional().meta({ title: '状态' }),
      repeal_reason: line(200).optional().meta({ title: '废止原因' }),
      repeal_date: day.optional().meta({ title: '废止日期' }),
      version,
    }),
    ...saved,
  }),
  removePaper: call({
    method: 'DELETE',
    path,
    access: grant('Delete', page),
    summary: '删除制度文件草稿',
    params: idParams,
    reply: done,
    message: '草稿已删除',
  }),
  ...readingCalls,
  statistics: folderStatistics.call,
};
