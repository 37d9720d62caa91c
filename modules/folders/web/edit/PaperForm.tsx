import { Skeleton } from 'antd';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { TreePicker, type TreeControl, type TreeNode } from '#kernel/web/kit/form/TreePicker.tsx';
import { FilesInput } from '#modules/files/widgets.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import { folders } from '../../contract.ts';
import type { CategoryNode, PaperDetail } from '../../contract/rows.ts';
import { QuizInput } from './QuizInput.tsx';
import { ScopeInput } from './ScopeInput.tsx';

export type Writing = { kind: 'new' } | { kind: 'edit' | 'revise'; id: number };
interface Props {
  writing: Writing;
  onClose: () => void;
}

const bodyKinds = '.pdf,.docx,.doc,.ofd';
const anyKinds = '.pdf,.docx,.doc,.ofd,.xlsx,.xls,.pptx,.ppt,.txt,.csv,.zip,.png,.jpg,.jpeg,.webp,.gif';

/** A paper to write, to change or to revise. */
export function PaperForm({ writing, onClose }: Props) {
  const id = writing.kind === 'new' ? 0 : writing.id;
  const { data, error, refetch } = useCall(folders.paper, { params: { id } }, { enabled: id > 0 });
  const title = { new: '新增制度文件', edit: '编辑制度文件', revise: '修订制度文件' }[writing.kind];
  return (
    <section className="kit-detail" aria-label={title}>
      <header className="kit-panel kit-detail-head">
        <h1>{title}</h1>
        {writing.kind === 'revise' && data && (
          <p className="kit-muted">修订版发布后，“{data.title}”变为已修订；此前仍然有效</p>
        )}
      </header>
      {error ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : id > 0 && !data ? (
        <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />
      ) : (
        <div className="kit-panel">
          <Form writing={writing} paper={data} onClose={onClose} />
        </div>
      )}
    </section>
  );
}

function Form({ writing, paper, onClose }: Props & { paper: PaperDetail | undefined }) {
  const fields = useFields(writing.kind === 'edit' ? paper : undefined, paper);
  const common = { fields, onCancel: onClose, onDone: onClose };
  if (writing.kind === 'edit' && paper)
    return (
      <CallForm
        {...common}
        name={`paper:${paper.id}`}
        call={folders.updatePaper}
        params={{ id: paper.id }}
        initial={{ ...paper }}
        also={{ version: paper.version }}
        submit="保存文件"
      />
    );
  const {
    fwh: _fwh,
    publish_date: _published,
    file: _file,
    attachments: _attachments,
    read_deadline: _deadline,
    ...kept
  } = paper ?? ({} as PaperDetail);
  return (
    <CallForm
      {...common}
      name={paper ? `paper:revise:${paper.id}` : 'paper:new'}
      call={folders.createPaper}
      initial={
        paper ? kept : { scope: { all: true, depts: [], roles: [], users: [] }, publish_date: dayOf(new Date()) }
      }
      also={paper ? { replace_id: paper.id } : {}}
      submit="保存草稿"
    />
  );
}

function useFields(edited: PaperDetail | undefined, paper: PaperDetail | undefined): FormField[] {
  const published = edited !== undefined && edited.status !== 0;
  const text: FormField[] = published
    ? []
    : [
        {
          name: 'content',
          label: '正文',
          kind: 'textarea',
          help: '“第一章”“一、”“（一）”开头的短行会成为目录',
        },
        {
          name: 'file',
          label: '正文文件',
          help: 'PDF、Word 或 OFD，与正文填写其一即可',
          render: (control) => (
            <Files
              control={{
                ...control,
                value: control.value ? [control.value] : [],
                onChange: (ids) => control.onChange?.((ids as number[])[0] ?? null),
              }}
              label="正文文件"
              known={edited?.file_info ? [edited.file_info] : []}
              max={1}
              accept={bodyKinds}
            />
          ),
        },
      ];
  const ofText: FormField[] = [
    ...text,
    {
      name: 'attachments',
      label: '附件',
      render: (control) => (
        <Files control={control} label="附件" known={edited?.attachments_info ?? []} max={20} accept={anyKinds} />
      ),
    },
  ];
  return [
    ...(edited?.approved ? [] : [{ name: 'title', label: '标题' }]),
    { name: 'category_id', label: '分类', render: (control: object) => <CategoryPicker {...control} /> },
    { name: 'fwh', label: '发文号', help: '如：校字〔2026〕1号；没有则不填' },
    {
      name: 'dept',
      label: '发布部门',
      render: ({ id, value, onChange, disabled }) => (
        <DeptPicker id={id} disabled={disabled} value={value as number | null} onChange={onChange} />
      ),
    },
    { name: 'publish_date', label: '发布日期', kind: 'date' },
    { name: 'effective_date', label: '生效日期', kind: 'date', help: '不填则自发布之日起' },
    { name: 'expire_date', label: '失效日期', kind: 'date', notBefore: 'effective_date', help: '失效前 60 天会提醒您' },
    ...(edited?.approved ? [] : ofText),
    { name: 'keywords', label: '关键词' },
    {
      name: 'scope',
      label: '阅读范围',
      help: '范围以外的人查不到该文件',
      render: (control) => <ScopeInput {...control} known={paper?.scope?.users_info} />,
    },
    { name: 'must_read', label: '必读', help: '发布时通知范围内的人员，确认已读前一直提醒' },
    {
      name: 'read_deadline',
      label: '阅读期限',
      kind: 'date',
      notBefore: 'publish_date',
      when: (values) => Boolean(values['must_read']),
    },
    {
      name: 'quiz',
      label: '阅读小测',
      help: '最多 3 题，全部答对才能确认已读；选中正确的选项',
      when: (values) => Boolean(values['must_read']),
      render: (control) => <QuizInput control={control} />,
    },
    { name: 'top', label: '置顶' },
  ];
}

function Files({
  control,
  ...more
}: Pick<Parameters<typeof FilesInput>[0], 'label' | 'known' | 'max' | 'accept'> & { control: FieldControl }) {
  return (
    <FilesInput
      id={control.id}
      module="folders"
      value={(control.value as number[] | undefined) ?? []}
      onChange={(ids) => control.onChange?.(ids)}
      disabled={control.disabled}
      aria-describedby={control['aria-describedby']}
      {...more}
    />
  );
}

const nodesOf = (all: readonly CategoryNode[]): TreeNode[] =>
  all.map(({ id, name, status, children }) => ({ id, name, disabled: !status, children: nodesOf(children) }));

/** Chooses one category of the tree; null for none. */
export function CategoryPicker({ placeholder = '请选择分类', ...control }: TreeControl) {
  const { data = [], isPending } = useCall(folders.categories, {});
  return <TreePicker {...control} placeholder={placeholder} loading={isPending} nodes={nodesOf(data)} />;
}
