import type { Start } from '#kernel/web/registry.ts';

const category = '报修';
const starts: readonly Start[] = [
  {
    key: 'order',
    name: '报修订单',
    about: '水电、门窗、设备坏了，报给维修人员上门处理',
    category,
    to: '/myOrder?new=1',
    page: '/myOrder',
  },
  {
    key: 'order_for',
    name: '代为登记报修',
    about: '替打来电话的人登记报修',
    category,
    to: '/order/register',
    page: '/order/register',
  },
];
export default starts;
