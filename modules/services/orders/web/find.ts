import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { orders } from '../contract/orders.ts';
import type { OrderRow } from '../contract/shapes.ts';

export default recordFinder(orders.list, { noun: '订单', page: '/order/detail', sn: (row: OrderRow) => row.sn });
