import { Input, Segmented, Select, Skeleton } from 'antd';
import { Suspense, useEffect, useRef } from 'react';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { contractTemplates, type TemplateVariable } from '../../contract/templates.ts';
import type { ContractDetail } from '../../contract/shapes.ts';
import { textMode } from '../../contract/texts.ts';
import { RichText, TextEditor } from './editor.ts';
import './text.css';

type Values = Record<string, unknown>;
type Known = Pick<ContractDetail, 'template_version_id' | 'template_name' | 'variables' | 'file_info'> | undefined;

/** The template of a version: that of the contract, or one of those offered. */
function useTemplate(versionId: number | null | undefined, known: Known) {
  const { data: offered = [] } = useCall(contractTemplates.templateOptions, { query: {} });
  const chosen = offered.find((one) => one.version_id === versionId);
  const { data } = useCall(
    contractTemplates.templateHtml,
    { params: { id: chosen?.id ?? 0 }, query: {} },
    { enabled: chosen !== undefined },
  );
  const own = known && known.template_version_id === versionId;
  return { variables: own ? known.variables : (data?.variables ?? []), content: data?.content };
}

function TemplateSelect({ control, known, category }: { control: FieldControl; known: Known; category: unknown }) {
  const { data = [] } = useCall(contractTemplates.templateOptions, { query: {} });
  const held = known?.template_version_id;
  const options = data
    .toSorted((a, b) => Number(b.category_id === category) - Number(a.category_id === category))
    .map((one) => ({ value: one.version_id, label: `${one.name}（第 ${one.version_no} 版）` }));
  const older = held && !options.some((one) => one.value === held) ? [{ value: held, label: known.template_name }] : [];
  return (
    <Select
      id={control.id}
      className="kit-wide"
      disabled={control.disabled ?? false}
      placeholder="请选择合同模板"
      options={[...older, ...options]}
      value={control.value as number | null}
      onChange={(value) => control.onChange?.(value)}
    />
  );
}

/** The inputs of variables; facts of the contract fill theirs automatically. */
function VariableValues({ control, versionId, known }: { control: FieldControl; versionId: unknown; known: Known }) {
  const { variables } = useTemplate(versionId as number | null, known);
  const typed = (control.value as Record<string, string> | undefined) ?? {};
  const asked = variables.filter((one) => one.source === null);
  if (asked.length === 0) return <p className="kit-muted">没有要另外填写的内容</p>;
  return (
    <div id={control.id} className="contract-values">
      {asked.map(({ key, label, type, required }) => (
        <label key={key}>
          {label}
          {required && ' *'}
          <Input
            type={type === 'date' ? 'date' : 'text'}
            inputMode={type === 'money' || type === 'number' ? 'decimal' : 'text'}
            disabled={control.disabled ?? false}
            maxLength={2000}
            value={typed[key] ?? ''}
            onChange={(event) => control.onChange?.({ ...typed, [key]: event.target.value })}
          />
        </label>
      ))}
    </div>
  );
}

function shownValues(variables: readonly TemplateVariable[], values: Values): Record<string, string> {
  const amount = typeof values['amount'] === 'number' ? values['amount'] : null;
  const parties = (values['parties'] as { name?: string }[] | undefined) ?? [];
  const text = (key: string) => (typeof values[key] === 'string' ? values[key] : '');
  const facts = {
    name: text('name'),
    our_party: text('our_party'),
    party: parties.map((one) => one.name ?? '').join('、'),
    amount: amount === null ? '' : moneyText(amount),
    amount_upper: amount === null ? '' : capitals(amount),
    start_date: text('start_date'),
    end_date: text('end_date'),
  };
  const typed = (values['text_values'] as Record<string, string> | undefined) ?? {};
  return Object.fromEntries(variables.map((one) => [one.key, (one.source ? facts[one.source] : typed[one.key]) ?? '']));
}

/** The text written from a template; choosing another template replaces it. */
function TemplateText({ control, values, known }: { control: FieldControl; values: Values; known: Known }) {
  const versionId = values['template_version_id'] as number | null | undefined;
  const { variables, content } = useTemplate(versionId, known);
  const of = useRef(control.value ? (known?.template_version_id ?? versionId) : null);
  const { onChange } = control;
  useEffect(() => {
    if (!versionId || content === undefined || of.current === versionId) return;
    of.current = versionId;
    onChange?.(content);
  }, [versionId, content, onChange]);
  if (!versionId) return <p className="kit-muted">选择模板后在这里显示正文</p>;
  return <TextEditor key={versionId} control={control} variables={variables} values={shownValues(variables, values)} />;
}

/** The text fields in a draft's form; a phone has no editor. */
export function textFields(known: ContractDetail | undefined, narrow: boolean): FormField[] {
  const group = '合同文本';
  const modes = Object.entries(textMode.names).map(([value, label]) => ({ value: Number(value), label }));
  const from = (values: Values) => values['text_mode'] === textMode.template;
  const written = (values: Values) => values['text_mode'] !== textMode.file && !(narrow && !from(values));
  return [
    {
      name: 'text_mode',
      group,
      render: ({ value, onChange, disabled = false }) => (
        <Segmented
          aria-label="文本来源"
          disabled={disabled}
          options={modes}
          value={value as number}
          onChange={(next) => onChange?.(next)}
        />
      ),
    },
    {
      name: 'template_version_id',
      group,
      when: from,
      render: (control, values) => <TemplateSelect control={control} known={known} category={values['category_id']} />,
    },
    {
      name: 'text_values',
      group,
      when: from,
      render: (control, values) => (
        <VariableValues control={control} versionId={values['template_version_id']} known={known} />
      ),
    },
    {
      name: 'content',
      group,
      help: '锁定条款有底色，改动后须法务审核',
      when: written,
      render: (control, values) => (
        <Suspense fallback={<Skeleton active />}>
          {from(values) ? (
            <TemplateText
              control={{ ...control, disabled: narrow || control.disabled === true }}
              values={values}
              known={known}
            />
          ) : (
            <RichText control={control} label="合同正文" />
          )}
        </Suspense>
      ),
    },
    {
      name: 'file',
      group,
      when: (values) => values['text_mode'] === textMode.file,
      render: (control) => (
        <FilesField
          control={control}
          label="合同文件"
          module="contracts"
          accept=".pdf,.doc,.docx"
          known={known?.file_info ? [known.file_info] : []}
          one
        />
      ),
    },
  ];
}
