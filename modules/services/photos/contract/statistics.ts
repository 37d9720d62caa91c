import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const panel = {
  columns: ['uploaded', 'adopted', 'rate', 'views', 'score'],
  drawn: ['uploaded', 'adopted'],
  unit: '张',
  chart: 'bars',
  none: '这段时间没有照片',
} as const;

/** Uploaded and adopted photos by day of upload: the figures of the yearly assessment. */
export const photoStatistics = figures({
  path: '/api/photo/statistics/',
  page: 'photo/statistics',
  title: '相册统计',
  filters: { category: id.optional().meta(field('相册')) },
  months: 12,
  columns: {
    uploaded: { title: '上传' },
    adopted: { title: '采用' },
    rate: { title: '采用率（%）' },
    views: { title: '浏览' },
    score: { title: '得分' },
  },
  panels: {
    dept: { ...panel, title: '各部门供稿', heading: '部门' },
    user: { ...panel, title: '供稿人', heading: '姓名' },
    category: { ...panel, title: '各相册', heading: '相册' },
    month: { ...panel, title: '各月', heading: '月份', chart: 'months' },
  },
  summary: {
    uploaded: z.number().int(),
    adopted: z.number().int(),
    rate: z.number(),
    views: z.number().int(),
    score: z.number().int(),
    unconsented: z.number().int(),
  },
});
