import { z } from 'zod';
import { sheetImport } from '#kernel/contract/sheet/import.ts';
import { field } from '#kernel/contract/titles.ts';

export const FirstPassword = z.object({
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  password: z.string().meta(field('一次性密码')),
});

/** New users from a sheet. */
export const peopleImport = sheetImport({
  prefix: '/api/accounts/users/',
  page: 'system/user',
  what: '用户',
  unit: '人',
  maxRows: 500,
  megabytes: 5,
  columns: [
    { key: 'alias', title: '姓名', aka: ['名字'], needed: true, example: '王晓明' },
    {
      key: 'username',
      title: '用户名',
      kind: 'code',
      unique: true,
      aka: ['登录名', '账号'],
      needed: true,
      example: 'wangxm',
    },
    {
      key: 'phone',
      title: '手机',
      kind: 'phone',
      unique: true,
      aka: ['手机号', '手机号码', '联系电话', '移动电话', '电话'],
      example: '13800000000',
    },
    { key: 'dept', title: '部门', aka: ['所在部门', '所属部门'], example: '总务处/维修科' },
    { key: 'depts', title: '兼职部门', example: '' },
    { key: 'post', title: '职务', aka: ['职位', '岗位'], example: '科员' },
    { key: 'roles', title: '角色', example: '员工' },
    { key: 'gender', title: '性别', example: '男' },
    {
      key: 'email',
      title: '邮箱',
      kind: 'code',
      aka: ['邮箱地址', '电子邮箱', '电子邮件', 'Email', 'email'],
      example: '',
    },
    { key: 'office_phone', title: '办公电话', kind: 'phone', example: '' },
    { key: 'office_room', title: '办公室', example: '行政楼 301' },
    { key: 'employ_no', title: '工号', kind: 'code', aka: ['职工号', '人员编号'], example: '' },
  ],
  tells: {
    /** One-time passwords of the imported people, shown only once. */
    passwords: z.array(FirstPassword),
  },
  shownOnce: true,
});
export type PersonKey = (typeof peopleImport)['columns'][number]['key'];
