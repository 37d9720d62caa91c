import type { Badge, Finder, HomeWidget, Pages } from '#kernel/web/registry.ts';
import { send } from '#kernel/web/client.ts';
import { tickets } from '../contract.ts';

export const pages: Pages = {
  'ticket/new': () => import('./StartPage.tsx'),
  'ticket/duty': () => import('./lists/DutyPage.tsx'),
  'ticket/owner': () => import('./lists/OwnerPage.tsx'),
  'ticket/worked': () => import('./lists/WorkedPage.tsx'),
  'ticket/all': () => import('./lists/AllPage.tsx'),
  'ticket/statistics': () => import('./statistics/StatisticsPage.tsx'),
  'ticket/detail': () => import('./TicketPage.tsx'),
};

const reaches = (path: string): HomeWidget['shows'] => {
  return (codesAt) => codesAt(path).includes('Retrieve');
};

export const home: HomeWidget[] = [
  {
    key: 'ticket-duty',
    title: '我的待办',
    order: 10,
    width: 'half',
    load: () => import('./home/Duties.tsx'),
    shows: reaches('/ticket/duty'),
  },
  {
    key: 'ticket-owner',
    title: '我发起的',
    order: 20,
    width: 'half',
    load: () => import('./home/Started.tsx'),
    shows: reaches('/ticket/owner'),
  },
];

const findTickets: Finder = async (text, signal) => {
  const { value } = await send(tickets.list, { query: { search_value: text, per_page: 8 } }, { signal, quiet: true });
  return value.map((row) => ({
    key: `ticket-${row.id}`,
    title: row.title,
    hint: `工单 ${row.sn} · ${row.act_state_name}`,
    to: `/ticket/detail/${row.id}`,
  }));
};
export const finders = [findTickets];

export const badges: Record<string, Badge> = {
  'ticket/duty': {
    call: tickets.jiaobiao,
    asked: {},
    count: (reply) => (reply as { by_menu: Record<string, number> }).by_menu['/ticket/duty'] ?? 0,
  },
};
