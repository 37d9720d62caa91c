import { Skeleton } from 'antd';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useFill } from '#kernel/web/kit/form/parts/fill.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { iconNames } from '#kernel/web/kit/show/icons.tsx';
import type { Workflow } from '../../contract.ts';
import { designCalls } from '../../contract/design.ts';
import type { Template } from '../../engine/gallery/vocabulary.ts';
import type { Imported } from './import.ts';

const Gallery = later(() => patiently(() => import('./Gallery.tsx')));
const TemplateDetails = later(() => patiently(() => import('./TemplateDetails.tsx')));

/** The start of a new workflow: a template, another one, or a file. */
export interface Beginning {
  copy?: Workflow;
  file?: Imported;
}
interface Props {
  beginning: Beginning;
  onClose: () => void;
  onAdded: (id: number) => void;
}

/** Adds a workflow and opens its designer. */
export function AddWorkflow({ beginning: { copy, file }, onClose, onAdded }: Props) {
  const from = copy ?? file;
  const { data: modules } = useCall(designCalls.modules, {}, { staleTime: 300_000 });
  const moduleField: FormField = {
    name: 'module',
    kind: 'select',
    placeholder: '工单',
    help: '流程用于哪种业务；不选则用于工单，新增后不能更改',
    options: modules?.value.map(({ module, name }) => ({ value: module, label: name })) ?? [],
  };
  const [template, choose] = useState<Template | null>(null);
  const title = copy ? `复制流程“${copy.name}”` : file ? '导入流程' : '新增流程';
  return (
    <FormDrawer
      open
      title={title}
      name={copy ? `workflow:copy:${copy.id}` : file ? 'workflow:import' : 'workflow:new'}
      call={designCalls.add}
      initial={
        from
          ? {
              name: copy ? `${from.name} 副本` : from.name,
              category: from.category,
              description: from.description,
              icon: from.icon,
              ...(file?.module && { module: file.module }),
            }
          : {}
      }
      also={{
        ...(copy && { copy_of: copy.id }),
        ...(file && { definition: file.definition }),
        ...(template && { definition: template.definition }),
      }}
      fields={[
        { name: 'name', placeholder: '例如：请假申请' },
        { name: 'category', help: '发起工单时按分类列出，例如：人事' },
        { name: 'description' },
        ...(copy || template ? [] : [moduleField]),
        {
          name: 'icon',
          kind: 'select',
          options: iconNames.map((value) => ({ value, label: value.replace('Outlined', '') })),
        },
      ]}
      extra={(values) => !from && <TemplateWords template={template} values={values} />}
      submit={copy ? '复制流程' : file ? '导入流程' : '新增流程'}
      onClose={onClose}
      onDone={(reply) => onAdded(reply.id)}
      choice={
        !from && (
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 14 }} />}>
            <Gallery value={template} onChange={choose} />
          </Suspense>
        )
      }
    >
      {template && (
        <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8 }} />}>
          <TemplateDetails key={template.key} template={template} />
        </Suspense>
      )}
    </FormDrawer>
  );
}

const wordsOf = (template: Template | null): Record<string, string> =>
  template
    ? { name: template.name, category: template.category, description: template.about, icon: template.icon }
    : { name: '', category: '', description: '', icon: '' };

/** Fills in the template's names, except those somebody wrote themselves. */
function TemplateWords({ template, values }: { template: Template | null; values: Readonly<Record<string, unknown>> }) {
  const fill = useFill();
  const last = useRef<Template | null>(null);
  useEffect(() => {
    if (last.current === template) return;
    const [was, is] = [wordsOf(last.current), wordsOf(template)];
    last.current = template;
    const open = Object.keys(is).filter((key) => (values[key] ?? '') === '' || values[key] === was[key]);
    fill(Object.fromEntries(open.map((key) => [key, is[key] || undefined])));
  }, [template, values, fill]);
  return null;
}
