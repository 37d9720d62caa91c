import { Suspense, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { tickets, type categories } from '../../contract.ts';
import type { Row } from '../../contract/shapes.ts';
import { openedAt } from '../opened.ts';
import { cardOf, columnsOf } from './columns.tsx';
import { ordersOf } from './field-query.ts';
import '../tickets.css';

const FieldFilters = later(() => patiently(() => import('./FieldFilters.tsx')));

type Category = (typeof categories)[number];

interface Props extends Pick<ListPageProps<Row>, 'batch' | 'choosable' | 'hoverActions' | 'preview'> {
  /** Page component, the key under which columns and views are stored. */
  name: string;
  title: string;
  /** The categories: tabs with their totals if there are several, the first shown at once. */
  tabs: readonly (readonly [Category, string])[];
  empty: { why: string; next?: ReactNode };
}

/** One list of tickets, by category. */
export function TicketList({ tabs, ...list }: Props) {
  const [search] = useSearchParams();
  const category = tabs.find(([key]) => key === search.get('category'))?.[0] ?? tabs[0]![0];
  const flow = Number(search.get('workflow_ids')) || 0;
  const [wanted, setWanted] = useState(false);
  const { data, isError } = useCall(
    workflows.list,
    { query: { per_page: 100 } },
    { staleTime: 300_000, enabled: wanted || flow > 0 },
  );
  const drawn = useCall(
    workflows.simpleDescription,
    { params: { id: flow }, query: { fields: true } },
    { enabled: flow > 0 },
  );
  // The menu has just fetched the same counts; changes to them are announced.
  const counts = useCall(tickets.jiaobiao, {}, { enabled: tabs.length > 1, meta: live, staleTime: 30_000 });
  const exports = usePermission()('daochu');
  const fields = drawn.data?.workflow_field_info.filter((field) => !field.own || category === 'owner') ?? [];
  const tables = drawn.data?.workflow_table_info.filter((table) => !table.own || category === 'owner') ?? [];
  const filters: ListFilter[] = [
    {
      key: 'act_state_id',
      kind: 'select',
      often: true,
      options: Object.entries(actState.names).map(([value, label]) => ({ value, label })),
    },
    {
      key: 'workflow_ids',
      drops: ['state_ids', 'fields', 'field_sort', 'rows_of'],
      kind: 'select',
      often: true,
      wanted: () => setWanted(true),
      options: data?.value.map((one) => ({ value: String(one.id), label: one.name })) ?? (isError ? [] : undefined),
    },
    // States belong to a workflow: offered once one is chosen.
    ...(flow > 0 || search.has('state_ids')
      ? [
          {
            key: 'state_ids',
            kind: 'select' as const,
            often: true,
            options: drawn.data?.workflow_state_info.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
          },
        ]
      : []),
    { key: 'create_start', kind: 'date' },
    { key: 'create_end', kind: 'date' },
    { key: 'sn', kind: 'text' },
    ...(tables.length > 0 && exports
      ? [
          {
            key: 'rows_of',
            kind: 'select' as const,
            options: tables.map(({ field_key, field_name }) => ({ value: field_key, label: `${field_name}每行一条` })),
          },
        ]
      : []),
    // So do the fields of its form.
    ...(fields.length > 0 || search.has('fields') || search.has('field_sort')
      ? [
          { key: 'field_sort', kind: 'select' as const, sorts: true, options: ordersOf(fields) },
          {
            key: 'fields',
            kind: 'own' as const,
            render: (field: { value: string; open: boolean; set: (value: string) => void }) => (
              <Suspense>
                <FieldFilters fields={fields} value={field.value} open={field.open} onChange={field.set} />
              </Suspense>
            ),
          },
        ]
      : []),
  ];
  return (
    <ListPage
      {...list}
      call={tickets.list}
      query={{ category }}
      columns={columnsOf(category)}
      card={cardOf(category)}
      filters={filters}
      categories={
        tabs.length > 1
          ? tabs.map(([value, label]) => ({
              value,
              label,
              count: counts.isPending ? null : counts.data?.by_category[value],
            }))
          : undefined
      }
      numbered
      to={openedAt}
      unread={(row) => category === 'duty' && row.unread}
    />
  );
}
