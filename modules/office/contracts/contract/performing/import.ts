import { sheetImport } from '#kernel/contract/sheet/import.ts';

/** 存量补录: contracts signed on paper earlier and still running. They are imported without a ticket and keep their numbers. */
export const contractImport = sheetImport({
  prefix: '/api/contract/manage/',
  page: 'contract/manage',
  code: 'Update',
  what: '存量合同',
  unit: '份',
  maxRows: 2000,
  megabytes: 5,
  columns: [
    { key: 'contract_no', title: '合同编号', kind: 'code', needed: true, unique: true, example: 'XX-2023-018' },
    { key: 'name', title: '合同名称', needed: true, example: '校园保洁服务合同' },
    { key: 'category', title: '类别代码', kind: 'code', aka: ['类别'], needed: true, example: 'FW' },
    { key: 'party', title: '相对方', aka: ['对方单位'], needed: true, example: '净美物业服务有限公司' },
    { key: 'credit_code', title: '统一社会信用代码', kind: 'code', example: '' },
    { key: 'pays', title: '收付', needed: true, example: '支出' },
    { key: 'amount', title: '合同金额', kind: 'money', aka: ['金额'], example: '360000' },
    { key: 'paid', title: '已收付', kind: 'money', aka: ['已付'], example: '90000' },
    { key: 'sign_date', title: '签订日期', kind: 'day', needed: true, example: '2024-03-01' },
    { key: 'start_date', title: '开始日期', kind: 'day', example: '2024-03-01' },
    { key: 'end_date', title: '结束日期', kind: 'day', example: '2027-02-28' },
    { key: 'undertaker', title: '承办人账号', kind: 'code', aka: ['承办人'], needed: true, example: 'zhang.san' },
  ],
  tells: {},
});
export type ContractKey = (typeof contractImport)['columns'][number]['key'];
