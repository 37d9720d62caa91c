import { Button } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { folders } from '../contract.ts';
import type { Paper } from '../contract/list.ts';
import { paperColumns, usePaperFilters } from './columns.tsx';
import { PaperForm, type Writing } from './edit/PaperForm.tsx';

/** The papers I manage: writing, publishing, revising, and how far they are read. */
export default function PapersPage() {
  const [writing, setWriting] = useState<Writing | null>(null);
  const filters = usePaperFilters();
  if (writing) return <PaperForm writing={writing} onClose={() => setWriting(null)} />;
  return (
    <ListPage<Paper>
      name="folder/papers"
      title="文件管理"
      purpose="起草、发布、修订和废止制度文件，看得到谁还没读"
      call={folders.papers}
      query={{ managed: true }}
      columns={[
        ...paperColumns,
        {
          key: 'read_rate',
          title: '阅读率',
          number: true,
          width: 80,
          render: (row) => (row.read_rate === null ? '—' : `${row.read_rate}%`),
        },
        { key: 'read_count', title: '阅读人数', number: true, sort: true, hidden: true },
        { key: 'expire_date', title: '失效日期', hidden: true },
      ]}
      filters={[
        ...filters,
        { key: 'must_read', label: '必读', kind: 'select', options: [{ value: 'true', label: '必读' }] },
      ]}
      primary={
        <WithCode code="Create">
          <Button type="primary" onClick={() => setWriting({ kind: 'new' })}>
            新增文件
          </Button>
        </WithCode>
      }
      to={(row) => `/folder/detail/${row.id}`}
      rowActions={(row) => (
        <>
          {row.actions.includes('update') && (
            <Button size="small" onClick={() => setWriting({ kind: 'edit', id: row.id })}>
              编辑
            </Button>
          )}
          {row.actions.includes('revise') && (
            <Button size="small" onClick={() => setWriting({ kind: 'revise', id: row.id })}>
              修订
            </Button>
          )}
          <CallButton
            call={folders.removePaper}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除草稿“${row.title}”`, content: '草稿和它的附件一并删除，不能恢复' }}
          >
            删除
          </CallButton>
        </>
      )}
      empty={{ why: '还没有制度文件，点“新增文件”开始' }}
    />
  );
}
