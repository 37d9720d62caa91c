import { Button } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { documents } from '../contract.ts';
import { docKind, docLevel, docType } from '../contract/shapes.ts';
import { columns } from './columns.tsx';
import { NewDocument } from './edit/NewDocument.tsx';

const tabs = [
  ['duty', '待办'],
  ['owner', '我起草'],
  ['worked', '已办'],
  ['cc', '抄送我'],
  ['collect', '收藏'],
  ['all', '全部'],
] as const;
const optionsOf = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
export const documentFilters: ListFilter[] = [
  { key: 'doc_kind', kind: 'select', often: true, options: optionsOf(docKind.names) },
  { key: 'doc_type', kind: 'select', often: true, options: optionsOf(docType.names) },
  {
    key: 'act_state',
    kind: 'select',
    often: true,
    options: Object.entries(actState.names).map(([value, label]) => ({ value, label })),
  },
  { key: 'level', kind: 'select', options: optionsOf(docLevel.names) },
  { key: 'number', kind: 'text' },
  { key: 'unanswered', kind: 'select', options: [{ value: '1', label: '待答复' }] },
  {
    key: 'archived',
    kind: 'select',
    options: [
      { value: '1', label: '已归档' },
      { value: '0', label: '未归档' },
    ],
  },
  { key: 'start', kind: 'date' },
  { key: 'end', kind: 'date' },
];

/** Documents by my involvement; the same address with a kind opens the form of a new one. */
export default function DocumentListPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { data: counted, isPending } = useCall(documents.counts, {}, { meta: live });
  const kind = Number(search.get('new'));
  if (kind === docKind.sending || kind === docKind.memo)
    return <NewDocument key={kind} kind={kind} back="/document/list" />;
  return (
    <ListPage
      card={['act_state', 'due_at', 'participant_info']}
      name="document/list"
      title="公文办理"
      call={documents.list}
      query={{ category: 'duty' }}
      columns={columns}
      filters={documentFilters}
      categories={tabs.map(([value, label]) => ({ value, label, count: isPending ? null : counted?.value[value] }))}
      numbered
      primary={
        <WithCode code="Create">
          <Button type="primary" onClick={() => void navigate('?new=1')}>
            拟稿
          </Button>
          <Button onClick={() => void navigate('?new=3')}>写签报</Button>
        </WithCode>
      }
      to={(row) => `/document/detail/${row.id}`}
      actionsWidth={90}
      rowActions={(row) => (
        <CallButton
          call={row.collected ? documents.uncollect : documents.collect}
          asked={{ params: { id: row.id } }}
          size="small"
        >
          {row.collected ? '取消收藏' : '收藏'}
        </CallButton>
      )}
      empty={{ why: '还没有公文，点“拟稿”开始' }}
    />
  );
}
