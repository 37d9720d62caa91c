import type { Start } from '#kernel/web/registry.ts';

const category = '公文';
const starts: readonly Start[] = [
  {
    key: 'document',
    name: '发文拟稿',
    about: '起草发文，套用版式，送核稿与签发',
    category,
    to: '/document/list?new=1',
    page: '/document/list',
  },
  {
    key: 'memo',
    name: '签报',
    about: '就一件事请示领导，逐级批示',
    category,
    to: '/document/list?new=3',
    page: '/document/list',
  },
  {
    key: 'receiving',
    name: '收文登记',
    about: '登记来文，送拟办、批示和承办',
    category,
    to: '/document/register',
    page: '/document/register',
  },
];
export default starts;
