import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'contract',
    name: '合同',
    about: '按模板起草合同，送审核与签订',
    category: '合同',
    to: '/contract/list?new=1',
    page: '/contract/list',
  },
];
export default starts;
