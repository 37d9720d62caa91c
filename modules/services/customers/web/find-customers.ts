import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { customers } from '../contract/customers.ts';

const findCustomers: Finder = async (search_value, signal) =>
  (await send(customers.simple, { query: { search_value } }, { signal, quiet: true })).map(({ id, name }) => ({
    key: `customer/${id}`,
    title: name,
    hint: '客户',
    to: `/customer/detail/${id}`,
  }));
export default findCustomers;
