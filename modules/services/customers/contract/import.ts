import { z } from 'zod';
import { sheetImport } from '#kernel/contract/sheet/import.ts';

/** Imports new customers with contacts: further lines with the same name are further contacts. */
export const customerImport = sheetImport({
  prefix: '/api/customer/',
  page: 'customer/list',
  what: '客户',
  unit: '行',
  maxRows: 1000,
  megabytes: 5,
  columns: [
    {
      key: 'name',
      title: '客户名称',
      aka: ['名称', '单位名称', '公司名称'],
      needed: true,
      example: '某某科技有限公司',
    },
    { key: 'code', title: '客户编号', kind: 'code', aka: ['编号'], example: 'K001' },
    {
      key: 'credit_code',
      title: '统一社会信用代码',
      kind: 'code',
      aka: ['信用代码', '税号'],
      example: '91350100M000100Y43',
    },
    { key: 'type', title: '类型', aka: ['客户类型'], example: '企业' },
    { key: 'level', title: '级别', aka: ['客户级别'], example: '普通' },
    { key: 'status', title: '合作状态', aka: ['状态'], example: '合作中' },
    { key: 'industry', title: '行业', example: '软件' },
    { key: 'source', title: '来源', example: '招标' },
    { key: 'owner', title: '负责人用户名', kind: 'code', aka: ['负责人'], example: '' },
    { key: 'dept', title: '归属部门', aka: ['部门', '所属部门'], example: '' },
    { key: 'phone', title: '单位电话', kind: 'phone', example: '0571-88000000' },
    { key: 'website', title: '网址', example: '' },
    { key: 'address', title: '地址', example: '' },
    { key: 'tags', title: '标签', example: '软件、驻场' },
    { key: 'remark', title: '备注', example: '' },
    { key: 'contact_name', title: '联系人', aka: ['联系人姓名'], example: '李若兰' },
    { key: 'contact_post', title: '联系人职务', aka: ['职务'], example: '主任' },
    { key: 'contact_mobile', title: '联系人手机', kind: 'phone', aka: ['手机', '手机号'], example: '13800000000' },
    { key: 'contact_phone', title: '联系人电话', kind: 'phone', example: '' },
    { key: 'contact_email', title: '联系人邮箱', kind: 'code', aka: ['邮箱'], example: '' },
  ],
  tells: { customers: z.number().int(), contacts: z.number().int() },
});
export type ImportKey = (typeof customerImport)['columns'][number]['key'];
