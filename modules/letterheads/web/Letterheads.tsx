import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { optionsOf } from '#kernel/web/kit/form/options.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { lineStyles, letterheads, type Letterhead } from '../contract.ts';
import { HeadPreview } from './HeadPreview.tsx';
import './letterheads.css';

function fieldsFor(docTypes: Readonly<Record<number, string>>): FormField[] {
  return [
    { name: 'looks', label: '预览', render: (_control, values) => <HeadPreview {...values} /> },
    { name: 'name', label: '名称', placeholder: '例如：学校文件' },
    {
      name: 'org_line',
      label: '发文机关标志',
      placeholder: '例如：某某大学文件',
      help: '不填则用公文的发文机关加“文件”',
    },
    { name: 'print_org', label: '印发机关', help: '版记中的印发机关；不填则用发文机关的办公室' },
    { name: 'colour', label: '颜色', help: '例如 #e60012' },
    { name: 'line_style', label: '分隔线', kind: 'select', options: optionsOf(lineStyles) },
    {
      name: 'doc_types',
      label: '适用文种',
      kind: 'select',
      multiple: true,
      options: optionsOf(docTypes),
      help: '不选则不限',
    },
    { name: 'is_default', label: '默认模板', kind: 'switch', help: '没有更合适的模板时用它' },
    { name: 'status', label: '状态', kind: 'select', options: optionsOf({ 1: '启用', 0: '停用' }) },
  ];
}

/** The heads of documents: each as it looks, with a live picture while it is written. */
export function Letterheads({ docTypes }: { docTypes: Readonly<Record<number, string>> }) {
  const [open, setOpen] = useState<Letterhead | 'new' | null>(null);
  const { data, error, refetch, isPending } = useCall(letterheads.list, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (isPending) return <Skeleton active className="kit-panel" />;
  return (
    <section className="kit-panel kit-stack" aria-label="红头模板">
      <div className="kit-row">
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen('new')}>
            新增红头模板
          </Button>
        </WithCode>
      </div>
      {data.value.length === 0 && <EmptyState why="还没有红头模板，成品文件用发文机关全称加“文件”作标志" />}
      <ul className="redhead-cards">
        {data.value.map((row) => (
          <li key={row.id}>
            <HeadPreview {...row} />
            <div className="kit-row">
              <strong>{row.name}</strong>
              {row.is_default && <Tag color="blue">默认</Tag>}
              {row.status === 0 && <Tag>停用</Tag>}
              <span className="kit-muted">{row.doc_types.map((type) => docTypes[type]).join('、')}</span>
            </div>
            <div className="kit-row">
              {row.actions.includes('edit') && (
                <Button size="small" onClick={() => setOpen(row)}>
                  编辑
                </Button>
              )}
              <CallButton
                call={letterheads.remove}
                asked={{ params: { id: row.id } }}
                allowed={row.actions.includes('delete')}
                danger
                size="small"
                confirm={{ title: `删除红头模板“${row.name}”`, content: '已经选用它的公文不受影响' }}
              >
                删除
              </CallButton>
            </div>
          </li>
        ))}
      </ul>
      <EditDrawer
        noun="红头模板"
        name="redhead"
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.name}
        add={letterheads.create}
        change={letterheads.change}
        initial={{ colour: '#e60012', line_style: 1, status: 1, doc_types: [] }}
        fields={fieldsFor(docTypes)}
      />
    </section>
  );
}
