import { Badge, Button, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { documentNotices, Notice } from '../contract.ts';
import { NewNotice } from './NewNotice.tsx';

export const stateColours = { coming: 'processing', current: 'success', expired: 'default' } as const;

const tabs = {
  all: { label: '全部', query: {}, why: '还没有公文通知' },
  confirm: { label: '待我确认', query: { to_confirm: true }, why: '没有等您确认的通知，其余的在“全部”中' },
} as const;

/** Notices of the office about documents. */
export default function NoticeListPage() {
  const [search, ask] = useSearchParams();
  const tab = search.get('tab') === 'confirm' ? 'confirm' : 'all';
  const [writing, setWriting] = useState(false);
  return (
    <>
      <ListPage<Notice>
        card={['state', 'creator', 'publish_at']}
        name="document/notice"
        title="公文通知"
        purpose="公文工作的通知和说明，未读的标有圆点"
        call={documentNotices.list}
        query={tabs[tab].query}
        tabs={{
          categories: Object.entries(tabs).map(([value, { label, query }]) => ({
            value,
            label,
            of: { call: documentNotices.list, query },
          })),
          value: tab,
          onChange: (next) => ask(next === 'all' ? {} : { tab: next }),
        }}
        columns={listColumns(Notice, {
          title: {
            main: true,
            width: 320,
            render: (row) => (
              <>
                {row.unread && <Badge status="error" title="未读" />} {row.top && <Tag color="gold">置顶</Tag>}
                {row.need_receipt && row.unread && <Tag color="error">待确认</Tag>}
                {row.title}
              </>
            ),
          },
          scope_name: { width: 160 },
          creator: { width: 160, render: (row) => [row.creator, row.dept_name].filter(Boolean).join(' · ') },
          publish_at: { sort: true, width: 140 },
          state: { width: 90, render: (row) => <Tag color={stateColours[row.state]}>{row.state_name}</Tag> },
          read: {
            number: true,
            width: 90,
            render: (row) => (row.total === null ? '—' : `${row.read ?? 0} / ${row.total}`),
          },
        })}
        filters={[
          {
            key: 'state',
            kind: 'select',
            often: true,
            options: [
              { value: 'current', label: '已发布' },
              { value: 'coming', label: '待发布' },
              { value: 'expired', label: '已失效' },
            ],
          },
          {
            key: 'unread',
            kind: 'select',
            often: true,
            options: [
              { value: 'true', label: '未读' },
              { value: 'false', label: '已读' },
            ],
          },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setWriting(true)}>
              发布通知
            </Button>
          </WithCode>
        }
        to={(row) => `/document/notice/detail/${row.id}`}
        acts={(row) => row.actions.includes('delete')}
        rowActions={(row) => (
          <CallButton
            call={documentNotices.remove}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除通知“${row.title}”`, content: '所有人都不再看到它，不能恢复' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: tabs[tab].why }}
      />
      {writing && <NewNotice onClose={() => setWriting(false)} />}
    </>
  );
}
