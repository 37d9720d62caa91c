import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns.ts';
import type { ListFilter } from '#kernel/web/kit/list/FilterBar.tsx';
import { Moment } from '#kernel/web/kit/Moment.tsx';
import { StatusTag } from '#kernel/web/kit/StatusTag.tsx';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import { workflows } from '#modules/workflows/contract.ts';
import { tickets } from '../../contract.ts';
import type { Row } from '../../contract/shapes.ts';
import { DueLight } from '../DueLight.tsx';
import '../tickets.css';

const columns: ListColumn<Row>[] = [
  { key: 'sn', title: '流水号', sort: true, width: 145 },
  {
    key: 'title',
    title: '标题',
    main: true,
    width: 200,
    render: (row) => (row.on_behalf_of ? `（代 ${row.on_behalf_of}）${row.title}` : row.title),
  },
  { key: 'workflow_info', title: '类型', render: (row) => row.workflow_info.workflow_name, width: 85 },
  { key: 'state', title: '当前环节', render: (row) => row.state.state_name, width: 120 },
  {
    key: 'participant_info',
    title: '当前处理人',
    render: (row) => <span title={row.participant_info.participant_alias}>{shortNames(row)}</span>,
    width: 105,
  },
  {
    key: 'act_state_id',
    title: '状态',
    render: (row) => <StatusTag code={row.act_state_id} label={row.act_state_name} />,
    width: 85,
  },
  { key: 'creator_info', title: '创建人', render: (row) => row.creator_info.alias, width: 75 },
  { key: 'gmt_created', title: '创建时间', sort: true, render: (row) => <Moment at={row.gmt_created} />, width: 140 },
  { key: 'due_at', title: '到期', sort: true, render: (row) => <DueLight row={row} />, width: 125 },
];

function shortNames(row: Row): string {
  const names = row.participant_info.participant_alias.split('、');
  return names.length > 2 ? `${names.slice(0, 2).join('、')} 等 ${names.length} 人` : names.join('、') || '—';
}

interface Props {
  /** Page component, under which columns and views are kept. */
  name: string;
  title: string;
  category: 'duty' | 'owner' | 'worked' | 'all';
  empty: { why: string; next?: ReactNode };
  primary?: ReactNode;
}

/** One list of tickets; the category says whose. */
export function TicketList({ name, title, category, empty, primary }: Props) {
  const navigate = useNavigate();
  const { data } = useCall(workflows.list, { query: { per_page: 100 } }, { staleTime: 300_000 });
  const filters: ListFilter[] = [
    {
      key: 'act_state_id',
      label: '状态',
      kind: 'select',
      often: true,
      options: actStateNames.map((label, value) => ({ value: String(value), label })),
    },
    {
      key: 'workflow_ids',
      label: '类型',
      kind: 'select',
      often: true,
      options: data?.value.map((flow) => ({ value: String(flow.id), label: flow.name })) ?? [],
    },
    { key: 'create_start', label: '创建时间从', kind: 'date' },
    { key: 'create_end', label: '创建时间到', kind: 'date' },
  ];
  return (
    <ListPage
      name={name}
      title={title}
      call={tickets.list}
      query={{ category }}
      columns={columns}
      filters={filters}
      numbered
      primary={primary}
      onOpen={(row) => void navigate(`/ticket/detail/${row.id}`)}
      empty={empty}
    />
  );
}
