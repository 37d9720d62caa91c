import { App, Button, Drawer, Skeleton, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { contractCategories } from '../contract/categories.ts';
import {
  contractTemplates,
  type Template,
  templateStatus,
  type TemplateVariable,
  variables,
} from '../contract/templates.ts';
import { Changes } from './text/Changes.tsx';
import { ShownText, TextEditor } from './text/editor.ts';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { ComingPart } from '#kernel/web/live/together.ts';

const fields: FormField[] = [
  { name: 'name' },
  {
    name: 'category_id',
    render: (control) => <CategoryPicker {...(control as object)} call={contractCategories.list} />,
  },
  {
    name: 'variables',
    help: '取自合同的由系统填入，其余由起草人填写',
    render: (control) => (
      <RowsInput
        control={control}
        of={variables}
        instead={{ key: { placeholder: '如 place' }, source: { placeholder: '起草人填写' } }}
        fresh={() => ({ label: '', key: '', type: 'text', source: null, required: true })}
        add="添加变量"
      />
    ),
  },
  {
    name: 'content',
    help: '选中段落后点“锁定／解锁条款”；锁定的条款改动后须法务审核',
    render: (control, values) => (
      <Suspense
        fallback={
          <ComingPart>
            <Skeleton active />
          </ComingPart>
        }
      >
        <TextEditor
          control={control}
          variables={((values['variables'] as TemplateVariable[] | undefined) ?? []).filter((one) => one.key)}
        />
      </Suspense>
    ),
  },
  { name: 'change_log' },
  { name: 'effective_date', kind: 'date' },
];

/** One template: the editor of its text and variables, and its versions. */
export default function TemplateDetailPage() {
  const id = useParams()['id'];
  return id === 'new' ? <NewTemplate /> : <One key={id} id={Number(id)} />;
}

function NewTemplate() {
  const become = useBecome();
  const narrow = useNarrow();
  return (
    <DetailPage title="新增合同模板">
      <section className="kit-panel">
        {narrow ? (
          <p className="kit-muted">请在电脑上编写模板</p>
        ) : (
          <CallForm
            name="contract-template:new"
            call={contractTemplates.addTemplate}
            fields={fields}
            initial={{ variables: [] }}
            submit="保存模板"
            onDone={({ id }) => become(`/contract/template/detail/${id}`)}
          />
        )}
      </section>
    </DetailPage>
  );
}

function One({ id }: { id: number }) {
  const { message } = App.useApp();
  const narrow = useNarrow();
  const { data, error, refetch } = useCall(contractTemplates.template, { params: { id } });
  const [shown, setShown] = useState<number | null>(null);
  const row = data?.value;
  const newest = row?.versions[0];
  return (
    <DetailPage
      title={row?.name ?? ''}
      loading={!row}
      error={row ? undefined : error}
      retry={() => void refetch()}
      status={row && <Tag>{templateStatus.label(row.status)}</Tag>}
      holder={row && `${row.category_name} · 第 ${row.version_no} 版 · ${row.used} 份合同使用`}
      side={row && <Versions row={row} onShow={setShown} />}
    >
      {row && newest && (
        <section className="kit-panel" aria-label="模板正文">
          {row.actions.includes('update') && !narrow ? (
            <CallForm
              key={row.version}
              name={`contract-template:${id}`}
              call={contractTemplates.changeTemplate}
              params={{ id }}
              also={{ version: row.version }}
              fields={fields}
              initial={{ ...row, change_log: '', content: newest.content, variables: newest.variables }}
              submit={row.status === templateStatus.draft && newest.used === 0 ? '保存模板' : '保存为新版本'}
              onDone={() => void message.success('模板已保存')}
            />
          ) : (
            <>
              {narrow && <p className="kit-muted">请在电脑上编写模板</p>}
              <Sample id={id} no={newest.no} />
            </>
          )}
        </section>
      )}
      {shown !== null && (
        <Drawer open size="large" title={`第 ${shown} 版，填入示例`} onClose={() => setShown(null)}>
          <Sample id={id} no={shown} />
        </Drawer>
      )}
    </DetailPage>
  );
}

/** A version with sample values. */
function Sample({ id, no }: { id: number; no: number }) {
  const { data, error, refetch } = useCall(contractTemplates.templateHtml, { params: { id }, query: { no } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <Suspense
      fallback={
        <ComingPart>
          <Skeleton active />
        </ComingPart>
      }
    >
      {data ? <ShownText html={data.html} /> : <Skeleton active />}
    </Suspense>
  );
}

function Versions({ row, onShow }: { row: Template; onShow: (no: number) => void }) {
  return (
    <section className="kit-panel" aria-label="版本">
      <h2>版本</h2>
      {row.versions.map((one) => (
        <details key={one.no} open={one.no === row.version_no}>
          <summary>
            第 {one.no} 版 · {one.who} · {one.gmt_created.slice(0, 16)} · {one.used} 份合同
          </summary>
          {one.change_log && <p className="kit-muted">{one.change_log}</p>}
          <Button size="small" onClick={() => onShow(one.no)}>
            预览
          </Button>
          {one.diff.length > 0 && <Changes parts={one.diff} />}
        </details>
      ))}
    </section>
  );
}
