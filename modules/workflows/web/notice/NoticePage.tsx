import { Button, Tag } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { noticeCalls, noticeTypeNames, type NoticeRow } from '../../contract/notices.ts';
import { NoticeForm } from './NoticeForm.tsx';

/** Channels a workflow tells about its tickets. */
export default function NoticePage() {
  const [open, setOpen] = useState<NoticeRow | 'new' | null>(null);
  return (
    <>
      <ListPage<NoticeRow>
        name="workflow/notice"
        title="通知方式"
        purpose="工单有进展时，除站内消息外还通知到哪里；在流程的“设置”中选用"
        call={noticeCalls.notices}
        numbered
        filters={[
          {
            key: 'type_id',
            label: '类型',
            kind: 'select',
            often: true,
            options: Object.entries(noticeTypeNames).map(([value, label]) => ({ value, label })),
          },
        ]}
        columns={[
          { key: 'name', title: '名称', main: true, sort: true },
          { key: 'type_name', title: '类型' },
          { key: 'hook_url', title: '地址' },
          { key: 'description', title: '描述' },
          {
            key: 'status',
            title: '状态',
            render: (row) => (row.status === 1 ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
          },
          { key: 'gmt_modified', title: '修改时间', sort: true, width: 134 },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增通知方式
            </Button>
          </WithCode>
        }
        onOpen={setOpen}
        rowActions={(row) => (
          <div className="kit-row">
            <WithCode code="Update">
              <Button size="small" onClick={() => setOpen(row)}>
                编辑
              </Button>
            </WithCode>
            <CallButton
              call={noticeCalls.testNotice}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('test')}
              size="small"
            >
              测试
            </CallButton>
            <CallButton
              call={noticeCalls.removeNotice}
              asked={{ params: { id: row.id } }}
              danger
              size="small"
              confirm={{ title: `删除通知方式「${row.name}」`, content: '删除后无法恢复；流程正在使用的不能删除' }}
            >
              删除
            </CallButton>
          </div>
        )}
        empty={{ why: '还没有通知方式，工单的进展只发站内消息' }}
      />
      {open && <NoticeForm key={open === 'new' ? 'new' : open.id} row={open} onClose={() => setOpen(null)} />}
    </>
  );
}
