import { Alert, App, Checkbox } from 'antd';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { keyOf, useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { ApplicationDetail } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { fileKind, paperKind, usageType } from '../../contract/codes.ts';
import { SealInput, type Wanted } from './SealInput.tsx';

interface Props {
  /** `again_of`: a new one with the fields of a refused one. */
  kind: 'new' | 'edit' | 'again_of';
  id: number;
  source?: { module: string; id: number };
  onClose: () => void;
}
/** Fields that a linked record provides. */
const given: ReadonlySet<string> = new Set(['files', 'title', 'file_kind', 'amount', 'receiver']);
const numbered = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }));
const isOut = (values: Record<string, unknown>) => values['use_type'] === usageType.out;
const isCertificate = (values: Record<string, unknown>) => values['file_kind'] === fileKind.certificate;

/** The form of a new application, of a change, or of one prefilled from a record. */
export function ApplicationForm({ kind, id, source, onClose }: Props) {
  const { data: found, error, refetch } = useCall(calls.get, { params: { id } }, { enabled: id > 0 });
  const offered = useCall(calls.source, { query: source ?? { module: '', id: 1 } }, { enabled: source !== undefined });
  const navigate = useNavigate();
  const { message } = App.useApp();
  const before = found?.value;
  const offer = offered.data?.offer ?? null;
  const isGiven = kind === 'edit' ? (before?.source_id ?? null) !== null : offer !== null;
  const files = (before?.files ?? []).filter((file) => file.kind === paperKind.toSeal);
  const common = {
    coming: (id > 0 && !before) || (source !== undefined && offered.isPending),
    error: error ?? offered.error,
    retry: () => void refetch(),
    onCancel: onClose,
    onDone: (made: { id: number; act_state: number }) => {
      if (made.act_state === actState.draft) void message.success('草稿已保存');
      onClose();
      void navigate(`/stamp/detail/${made.id}`);
    },
    fields: fieldsOf(before, kind === 'edit' ? files : (offer?.files ?? [])).map((field) =>
      given.has(field.name) && isGiven ? { ...field, given: true, help: '以业务中批准的为准，不能修改' } : field,
    ),
  };
  if (kind === 'edit')
    return (
      <RecordForm
        {...common}
        title="修改用印申请"
        name={`stamp:${id}`}
        call={calls.again}
        params={{ id }}
        initial={{ ...valuesOf(before), files: files.map((file) => file.id), no_blanks: before?.no_blanks }}
        also={{ version: before?.version, submit: true }}
        submit="提交申请"
        other={draft}
      />
    );
  const blank = { use_type: usageType.onSite, file_kind: fileKind.other, copies: 1 };
  const begin = offer
    ? { ...blank, ...offer, files: offer.files.map((file) => file.id) }
    : { ...blank, ...(before ? { ...valuesOf(before), lines: undefined, files: [], no_blanks: false } : {}) };
  return (
    <RecordForm
      {...common}
      title="申请用印"
      note={
        source && !offer && offered.data
          ? '关联的业务现在不能申请用印，请核对其状态'
          : before && `以“${before.title}”重新申请；请上传核对过的文件并重新选择印章`
      }
      name={source ? `stamp:${source.module}:${source.id}` : `stamp:new:${id}`}
      call={calls.create}
      initial={begin}
      also={{ submit: true, ...(source ? { source } : {}), ...(kind === 'again_of' ? { again_of: id } : {}) }}
      submit="提交申请"
      other={draft}
    />
  );
}

const draft = { label: '保存草稿', also: { submit: false } };
const valuesOf = (row: ApplicationDetail | undefined) =>
  row && {
    ...row,
    operator: row.operator_info.username,
    escort: row.escort_info?.username,
    lines: row.lines.map(({ stamp_id, times, day, part }) => ({ stamp_id, times, day, part })),
  };

function fieldsOf(before: ApplicationDetail | undefined, known: readonly FileCard[]): FormField[] {
  const person = (control: FieldControl) => (
    <PersonPicker
      {...(control as object)}
      known={[before?.operator_info, before?.escort_info].filter((one) => one !== null && one !== undefined)}
    />
  );
  return [
    {
      name: 'files',
      group: '文件与印章',
      help: '须加盖印章的文件；提交后不能更换，保管人对照其用印',
      render: (control) => <Files control={control} known={known} />,
    },
    {
      name: 'no_blanks',
      render: ({ id, value, onChange, disabled }) => (
        <Checkbox
          id={id}
          checked={Boolean(value)}
          disabled={disabled}
          onChange={(event) => onChange?.(event.target.checked)}
        >
          文件没有空白待填处
        </Checkbox>
      ),
    },
    { name: 'title' },
    { name: 'use_type', kind: 'select', options: numbered(usageType.names) },
    {
      name: 'lines',
      render: ({ value, onChange, disabled }, values) => (
        <SealInput value={value as Wanted[]} onChange={onChange} disabled={disabled} out={isOut(values)} />
      ),
    },
    { name: 'borrow_start', kind: 'datetime-local', when: isOut, group: '外带' },
    { name: 'borrow_end', kind: 'datetime-local', when: isOut },
    { name: 'borrow_place', when: isOut },
    { name: 'escort', help: '全程陪同并签收印章', when: isOut, render: person },
    { name: 'reason', kind: 'textarea', group: '事由与份数' },
    { name: 'file_kind', kind: 'select', options: numbered(fileKind.names) },
    { name: 'copies', kind: 'number' },
    { name: 'pages', kind: 'number' },
    { name: 'cross_page', kind: 'switch' },
    { name: 'serial_from', when: isCertificate },
    { name: 'serial_to', when: isCertificate },
    { name: 'receiver', group: '其他' },
    { name: 'amount' },
    { name: 'operator', help: '到现场办理的人；不填为本人', render: person },
  ];
}

/** The files, with their places still to be filled in. */
function Files({ control, known }: { control: FieldControl; known: readonly FileCard[] }) {
  const ids = (control.value as number[] | undefined) ?? [];
  const fresh = ids.filter((id) => !known.some((file) => file.id === id));
  const looks = useQueries({
    queries: fresh.map((file) => ({
      queryKey: keyOf(calls.look, { file }),
      queryFn: ({ signal }: { signal: AbortSignal }) => send(calls.look, { query: { file } }, { signal, quiet: true }),
      staleTime: Infinity,
    })),
  });
  const found = looks.flatMap(({ data }) => data?.blanks ?? []);
  return (
    <div className="kit-stack">
      <FilesField
        control={control}
        label="用印文件"
        module="stamps"
        known={known}
        max={20}
        accept=".pdf,.docx,.doc,.xlsx,.xls,.png,.jpg,.jpeg"
      />
      {looks.map(
        ({ data }, at) =>
          data?.pages && (
            <span key={fresh[at]} className="kit-muted">
              共 {data.pages} 页
            </span>
          ),
      )}
      {found.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={found
            .slice(0, 8)
            .map(({ page, places }) => (places > 0 ? `第 ${page} 页有 ${places} 处空白待填` : `第 ${page} 页是空白页`))
            .join('；')}
        />
      )}
    </div>
  );
}
