import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, idParams, name } from '#kernel/contract/shapes.ts';
import { Retention } from '../archived.ts';

export const notArchivable = refusal(codes.notNow, (state: string) => `公文“${state}”，办结之后才能归档`);
export const archiveNoTaken = refusal(codes.refused, (no: string) => `档号“${no}”已经用过，请换一个`);
export const secretNotArchived = refusal(codes.refused, () => '涉密公文不在本系统归档，请按保密规定移交机要档案部门');

export const documentArchive = {
  archive: call({
    method: 'POST',
    path: '/api/document/{id}/archive/',
    access: grant('Update', 'document/setting'),
    summary: '公文归档',
    params: idParams,
    body: z.object({ retention: Retention.meta({ title: '保管期限' }), archive_no: name(60).meta({ title: '档号' }) }),
    reply: done,
    message: '已归档，归档包正在生成',
  }),
};
