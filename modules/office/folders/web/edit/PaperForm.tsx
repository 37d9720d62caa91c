import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { AudienceInput, DeptPicker } from '#modules/platform/people/widgets.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { folderCategories, folders } from '../../contract.ts';
import { paperStatus } from '../../contract/list.ts';
import type { PaperDetail } from '../../contract/papers.ts';
import { QuizInput } from './QuizInput.tsx';

const bodyKinds = '.pdf,.docx,.doc,.ofd';
const anyKinds = `${bodyKinds},.xlsx,.xls,.pptx,.ppt,.txt,.csv,.zip,.png,.jpg,.jpeg,.webp,.gif`;
const titles = { new: '新增制度文件', update: '编辑制度文件', revise: '修订制度文件' };
interface Props {
  kind: keyof typeof titles;
  /** The paper to change or to revise. */
  id: number;
  onClose: () => void;
}

/** The form of a new paper, a change or a revision. */
export function PaperForm({ kind, id, onClose }: Props) {
  const { data: paper, error, refetch } = useCall(folders.paper, { params: { id } }, { enabled: id > 0 });
  const coming = id > 0 && !paper;
  const common = {
    title: titles[kind],
    coming,
    error,
    retry: () => void refetch(),
    fields: fieldsOf(kind === 'update' ? paper : undefined, paper),
    onCancel: onClose,
    onDone: onClose,
  };
  if (kind === 'update')
    return (
      <RecordForm
        {...common}
        name={`paper:${id}`}
        call={folders.updatePaper}
        params={{ id }}
        initial={{ ...paper }}
        also={{ version: paper?.version }}
        submit="保存文件"
      />
    );
  // Fields that a revision leaves empty to be filled anew.
  const [fwh, publish_date, file, attachments, read_deadline] = [] as undefined[];
  const blank = { scope: { all: true, depts: [], roles: [], users: [] }, publish_date: dayOf(new Date()) };
  return (
    <RecordForm
      {...common}
      note={paper && `修订版发布后，“${paper.title}”变为已修订；此前仍然有效`}
      name={paper ? `paper:revise:${id}` : 'paper:new'}
      call={folders.createPaper}
      initial={paper ? { ...paper, fwh, publish_date, file, attachments, read_deadline } : blank}
      also={paper ? { replace_id: id } : {}}
      submit="保存草稿"
    />
  );
}

function fieldsOf(edited: PaperDetail | undefined, paper: PaperDetail | undefined): FormField[] {
  const ofText: FormField[] = [
    { name: 'content', kind: 'textarea', help: '“第一章”“一、”“（一）”开头的短行会成为目录' },
    {
      name: 'file',
      help: 'PDF、Word 或 OFD，与正文填写其一即可',
      render: (control) => (
        <FilesField
          control={control}
          label="正文文件"
          module="folders"
          known={edited?.file_info ? [edited.file_info] : []}
          accept={bodyKinds}
          one
        />
      ),
    },
  ];
  const attachments: FormField = {
    name: 'attachments',
    render: (control) => (
      <FilesField
        control={control}
        label="附件"
        module="folders"
        known={edited?.attachments_info ?? []}
        max={20}
        accept={anyKinds}
      />
    ),
  };
  const mustRead = (values: Record<string, unknown>) => Boolean(values['must_read']);
  return [
    ...(edited?.approved ? [] : [{ name: 'title' }]),
    {
      name: 'category_id',
      render: (control) => <CategoryPicker {...(control as object)} call={folderCategories.list} />,
    },
    { name: 'fwh', help: '如：校字〔2026〕1号；没有则不填' },
    {
      name: 'dept',
      render: ({ id, value, onChange, disabled }) => (
        <DeptPicker id={id} disabled={disabled} value={value as number | null} onChange={onChange} />
      ),
    },
    { name: 'publish_date', kind: 'date' },
    { name: 'effective_date', kind: 'date', help: '不填则自发布之日起' },
    { name: 'expire_date', kind: 'date', notBefore: 'effective_date', help: '失效前 60 天会提醒您' },
    ...(edited && edited.status !== paperStatus.draft ? [] : ofText),
    ...(edited?.approved ? [] : [attachments]),
    { name: 'keywords' },
    {
      name: 'scope',
      help: '范围以外的人查不到该文件',
      render: (control) => <AudienceInput {...control} known={paper?.scope?.users_info} />,
    },
    { name: 'must_read', help: '发布时通知范围内的人员，确认已读前一直提醒' },
    { name: 'read_deadline', kind: 'date', notBefore: 'publish_date', when: mustRead },
    {
      name: 'quiz',
      help: '最多 3 题，全部答对才能确认已读；选中正确的选项',
      when: mustRead,
      render: (control) => <QuizInput control={control} />,
    },
    { name: 'top' },
  ];
}
