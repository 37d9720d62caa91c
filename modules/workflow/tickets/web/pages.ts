import type {
  FixedPage,
  HomeWidget,
  LoadAct,
  LoadBatch,
  LoadFinder,
  LoadStartedActs,
  Pages,
} from '#kernel/web/registry.ts';

export const pages: Pages = {
  'ticket/new': () => import('./start/StartPage.tsx'),
  'ticket/duty': () => import('./lists/DutyPage.tsx'),
  'ticket/worked': () => import('./lists/WorkedPage.tsx'),
  'ticket/cc': () => import('./lists/CopiesPage.tsx'),
  'ticket/all': () => import('./lists/AllPage.tsx'),
  'ticket/statistics': () => import('./statistics/StatisticsPage.tsx'),
  'ticket/detail': () => import('./TicketPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/ticket/detail/:id', page: 'ticket/detail', title: '工单详情' }];

const reaches = (path: string): HomeWidget['shows'] => {
  return (codesAt) => codesAt(path).includes('Retrieve');
};

export const home: HomeWidget[] = [
  {
    key: 'ticket-owner',
    title: '我发起的',
    order: 20,
    place: 'beside',
    load: () => import('./home/Started.tsx'),
    shows: reaches('/ticket/owner'),
  },
];

/** Actions by the page on which something waits. */
export const acts: Record<string, LoadAct> = { 'ticket/duty': () => import('./home/Decide.tsx') };
export const batches: Record<string, LoadBatch> = { 'ticket/duty': () => import('./home/DecideAll.tsx') };

/** Actions by the kind of the started item. */
export const startedActs: Record<string, LoadStartedActs> = { ticket: () => import('./lists/StartedActs.tsx') };

export const finders: LoadFinder[] = [
  () => import('./actions/find-acts.ts'),
  () => import('./start/find-starts.ts'),
  () => import('./find-tickets.ts'),
];
