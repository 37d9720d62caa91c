import { sheetImport } from '#kernel/contract/sheet/import.ts';
import { page } from './supervise.ts';

/** Items with their parts as a sheet: a line is a part, and lines with the same title are one item. */
export const superviseImport = sheetImport({
  prefix: '/api/supervise/',
  page,
  what: '督办事项',
  unit: '行',
  maxRows: 500,
  megabytes: 5,
  tells: {},
  columns: [
    { key: 'title', title: '事项', needed: true, example: '校园网络升级' },
    { key: 'source', title: '来源', example: '年度重点' },
    { key: 'requirement', title: '办理要求', example: '年内完成' },
    { key: 'lead_dept', title: '主办部门', needed: true, example: '信息中心' },
    { key: 'due', title: '事项时限', kind: 'day', needed: true, example: '2026-12-31' },
    { key: 'sub', title: '子任务', needed: true, example: '完成招标' },
    { key: 'dept', title: '承办部门', example: '信息中心' },
    { key: 'owner', title: '责任人账号', kind: 'code', needed: true, example: 'zhang.san' },
    { key: 'sub_due', title: '任务时限', kind: 'day', needed: true, example: '2026-06-30' },
    { key: 'weight', title: '权重', kind: 'number', example: '1' },
  ],
});
