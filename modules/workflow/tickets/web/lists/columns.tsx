import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { News } from '#kernel/web/kit/show/News.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import type { categories } from '../../contract.ts';
import { creatorText } from '../../contract/begun.ts';
import { Row } from '../../contract/shapes.ts';
import { DueLight } from '../DueLight.tsx';
import { ShortNames } from './ShortNames.tsx';

/** Columns of ticket lists; each list shows those that its category does not already imply. */
const all: ListColumn<Row>[] = [
  ...listColumns(Row, {
    title: {
      main: true,
      render: (row) => (
        <>
          {row.news && <News />}
          {row.on_behalf_of ? `（代 ${row.on_behalf_of}）${row.title}` : row.title}
        </>
      ),
      note: (row) => row.sn,
    },
    sn: { sort: true, hidden: true, width: 144 },
    workflow_info: { render: (row) => row.workflow_info.workflow_name, width: 84 },
    creator_info: { render: creatorText, width: 72 },
    state: { whole: true, render: (row) => row.state.state_name, width: 116 },
    participant_info: {
      whole: true,
      render: ({ participant_info: { participant_alias: names } }) => (names ? <ShortNames names={names} /> : '—'),
      width: 96,
    },
    act_state_id: {
      render: (row) => <StatusTag code={row.act_state_id} label={row.act_state_name} unsettled={row.unsettled} />,
      width: 84,
    },
    gmt_created: { sort: true, width: 134 },
    since: { width: 134 },
  }),
  {
    key: 'waited',
    title: '已等待',
    brief: true,
    render: (row) => (row.since ? <Waited since={row.since} /> : '—'),
    width: 84,
  },
  ...listColumns(Row, {
    due_at: { sort: true, whole: true, render: (row) => (row.due_at ? <DueLight row={row} /> : '—'), width: 134 },
    gmt_modified: { sort: true, width: 140 },
  }),
];

/** Columns hidden by default: my to-dos show when they arrived, the other lists who has them. */
const aside = {
  mine: ['participant_info', 'act_state_id', 'gmt_created', 'gmt_modified'],
  started: ['creator_info', 'since', 'waited', 'gmt_modified'],
  others: ['since', 'waited', 'gmt_created', 'gmt_modified'],
};

/** Fields on a card of a category: the deadline for my to-dos, the people waited for in the others. */
export const cardOf = (category: (typeof categories)[number]): readonly string[] =>
  category === 'duty' ? ['state', 'creator_info', 'due_at'] : ['act_state_id', 'state', 'participant_info'];

export function columnsOf(category: (typeof categories)[number]): ListColumn<Row>[] {
  const hidden = category === 'duty' ? aside.mine : category === 'owner' ? aside.started : aside.others;
  return all.map((column) => (hidden.includes(column.key) ? { ...column, hidden: true } : column));
}
