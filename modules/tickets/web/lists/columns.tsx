import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import type { Row } from '../../contract/shapes.ts';
import { News } from '#kernel/web/kit/show/News.tsx';
import { DueLight } from '../DueLight.tsx';
import { ShortNames } from './ShortNames.tsx';

/** What a list shows of a ticket. */
export const columns: ListColumn<Row>[] = [
  { key: 'sn', title: '流水号', sort: true, width: 144 },
  {
    key: 'title',
    title: '标题',
    main: true,
    width: 174,
    render: (row) => (
      <>
        {row.news && <News />}
        {row.on_behalf_of ? `（代 ${row.on_behalf_of}）${row.title}` : row.title}
      </>
    ),
  },
  { key: 'workflow_info', title: '类型', render: (row) => row.workflow_info.workflow_name, width: 80 },
  { key: 'state', title: '当前环节', whole: true, render: (row) => row.state.state_name, width: 116 },
  {
    key: 'participant_info',
    title: '当前处理人',
    whole: true,
    render: (row) => <ShortNames names={row.participant_info.participant_alias} />,
    width: 90,
  },
  {
    key: 'act_state_id',
    title: '状态',
    render: (row) => <StatusTag code={row.act_state_id} label={row.act_state_name} />,
    width: 76,
  },
  { key: 'creator_info', title: '创建人', render: (row) => row.creator_info.alias, width: 64 },
  { key: 'gmt_created', title: '创建时间', sort: true, render: (row) => <Moment at={row.gmt_created} />, width: 134 },
  {
    key: 'due_at',
    title: '到期',
    sort: true,
    whole: true,
    render: (row) => (row.due_at ? <DueLight row={row} /> : '—'),
    width: 134,
  },
  {
    key: 'gmt_modified',
    title: '最近更新',
    sort: true,
    hidden: true,
    render: (row) => <Moment at={row.gmt_modified} />,
    width: 140,
  },
];
