import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { onOff, optionsOf } from '#kernel/contract/titles.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { defaultsOf, fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { letterheads, type Letterhead } from '../contract.ts';
import { HeadPreview } from './HeadPreview.tsx';
import './letterheads.css';

function fieldsFor(docTypes: Readonly<Record<number, string>>): FormField[] {
  const preview: FormField = {
    name: 'looks',
    label: '预览',
    render: (_control, values) => <HeadPreview {...values} />,
  };
  const fields = fieldsOf(shapeOf(letterheads.add.body), {
    name: { placeholder: '例如：学校文件' },
    org_line: { placeholder: '例如：某某大学文件' },
    doc_types: { options: optionsOf(docTypes) },
  });
  return [preview, ...fields];
}

/** The letterheads of documents, each with a picture that is updated while editing. */
export function Letterheads({ docTypes }: { docTypes: Readonly<Record<number, string>> }) {
  const [open, setOpen] = useState<Letterhead | 'new' | null>(null);
  const { data, error, refetch, isPending } = useCall(letterheads.list, { query: { per_page: 100 } });
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
              {row.status === onOff.off && <Tag>停用</Tag>}
              <span className="kit-muted">{row.doc_types.map((type) => docTypes[type]).join('、')}</span>
            </div>
            <div className="kit-row">
              {row.actions.includes('update') && (
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
        add={letterheads.add}
        change={letterheads.change}
        initial={defaultsOf(shapeOf(letterheads.add.body))}
        fields={fieldsFor(docTypes)}
      />
    </section>
  );
}
