import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { tickets } from '../contract.ts';
import { openedAt } from './opened.ts';

const findTickets: Finder = async (text, signal) => {
  const { value } = await send(tickets.list, { query: { search_value: text, per_page: 8 } }, { signal, quiet: true });
  return value.map((row) => ({
    key: `ticket-${row.id}`,
    title: row.title,
    hint: `工单 ${row.sn} · ${row.act_state_name}`,
    to: openedAt(row),
    behind: row.record_path !== null,
  }));
};
export default findTickets;
