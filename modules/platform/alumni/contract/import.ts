import { z } from 'zod';
import { sheetImport } from '#kernel/contract/sheet/import.ts';

/** Alumni from a sheet: new ones, and known ones by their student number. */
export const alumniImport = sheetImport({
  prefix: '/api/alumnus/',
  page: 'alumnus/list',
  what: '校友',
  unit: '人',
  maxRows: 5000,
  megabytes: 10,
  columns: [
    { key: 'name', title: '姓名', aka: ['名字', '校友姓名'], needed: true, example: '李若兰' },
    {
      key: 'student_no',
      title: '学号',
      kind: 'code',
      aka: ['学生号'],
      needed: true,
      unique: true,
      example: '2014030217',
    },
    { key: 'gender', title: '性别', example: '女' },
    { key: 'college', title: '学院', aka: ['院系', '系别', '学院名称'], example: '文学院' },
    { key: 'major', title: '专业', aka: ['专业名称'], example: '汉语言文学' },
    { key: 'enter_year', title: '入学年份', kind: 'number', aka: ['入学年', '入学时间'], example: '2014' },
    { key: 'graduate_year', title: '毕业年份', kind: 'number', aka: ['毕业年', '毕业届', '毕业时间'], example: '2018' },
    { key: 'class_name', title: '班级', aka: ['班别'], example: '1402' },
    { key: 'degree', title: '学历', aka: ['学位', '学历层次'], example: '本科' },
    {
      key: 'mobile',
      title: '手机',
      kind: 'phone',
      maskStands: true,
      aka: ['手机号', '手机号码', '联系电话', '移动电话', '电话'],
      example: '13800000000',
    },
    {
      key: 'email',
      title: '邮箱',
      kind: 'code',
      aka: ['邮箱地址', '电子邮箱', '电子邮件', 'Email', 'email'],
      example: '',
    },
    { key: 'city', title: '城市', aka: ['所在城市', '所在地'], example: '杭州' },
    { key: 'company', title: '单位', aka: ['工作单位', '公司', '所在单位'], example: '' },
    { key: 'post', title: '职务', aka: ['职位', '岗位'], example: '' },
    { key: 'consent', title: '同意短信', example: '是' },
    { key: 'consent_at', title: '同意日期', kind: 'day', example: '2024-06-01' },
    { key: 'consent_from', title: '同意来源', example: '返校登记表' },
    { key: 'opt_out', title: '已退订', example: '否' },
    { key: 'remark', title: '备注', example: '' },
  ],
  tells: {
    /** Those whose student number was known. */
    updated: z.number().int(),
  },
});
export type AlumnusKey = (typeof alumniImport)['columns'][number]['key'];
