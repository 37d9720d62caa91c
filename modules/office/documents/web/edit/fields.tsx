import { Skeleton } from 'antd';
import { Suspense } from 'react';
import { fileKinds } from '#kernel/contract/upload.ts';
import { optionsOf } from '#kernel/contract/titles.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { LetterheadSelect } from '#modules/platform/letterheads/widgets.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import { bodyKinds } from '../../contract/files/body.ts';
import { documentCategories } from '../../contract/categories.ts';
import { docKind, docLevel, docType, type DocumentDetail } from '../../contract/shapes.ts';
import { AgencySelect } from '../AgencySelect.tsx';
import { BodyFile } from '../BodyFile.tsx';
import { DocumentPicker } from '../find/DocumentPicker.tsx';
import { NamesInput } from './NamesInput.tsx';
import { openness, secrecy } from './openness.ts';
import { OrgInput } from './OrgInput.tsx';
import { PartiesInput } from './PartiesInput.tsx';
import { TitleInput } from './TitleInput.tsx';

const RichText = later(() => patiently(() => import('#kernel/web/kit/rich/RichText.tsx')));
const accept = fileKinds.map((kind) => `.${kind}`).join(',');

const parties = (name: string, group: string): FormField => ({
  name,
  group,
  render: (control) => <PartiesInput control={control} />,
});

/** The form fields of a kind of document, in groups. */
export function useDocumentFields(kind: number, known?: DocumentDetail): FormField[] {
  const site = useCall(settings.site, {}).data;
  return documentFields(kind, { known, secret: site?.value.allow_secret === true });
}

function documentFields(
  kind: number,
  { known, secret }: { known?: DocumentDetail | undefined; secret: boolean },
): FormField[] {
  const head: FormField[] = [
    {
      name: 'title',
      group: '基本',
      ...(kind === docKind.sending
        ? {
            render: (control, values) => <TitleInput control={control} docType={Number(values['doc_type'])} />,
          }
        : {}),
    },
    { name: 'doc_type', kind: 'select', group: '基本', options: optionsOf(docType.names) },
    {
      name: 'category_id',
      group: '基本',
      render: (control) => (
        <CategoryPicker
          {...(control as object)}
          call={documentCategories.list}
          query={{ doc_kind: kind }}
          placeholder="请选择类别"
        />
      ),
    },
    { name: 'level', kind: 'select', group: '基本', options: optionsOf(docLevel.names) },
    ...(secret ? secrecy : []),
  ];
  const coming: FormField[] = [
    { name: 'from_org', group: '来文' },
    { name: 'from_number', group: '来文' },
    { name: 'received_date', kind: 'date', group: '来文' },
    { name: 'from_copies', group: '来文', kind: 'number' },
    {
      name: 'due_at',
      group: '来文',
      kind: 'datetime-local',
      notBefore: 'received_date',
      help: '来文要求的时限；不填则按紧急程度计算',
    },
  ];
  const going: FormField[] = [
    { name: 'issue_org', group: '行文', render: (control) => <OrgInput control={control} /> },
    {
      name: 'joint_orgs',
      group: '行文',
      help: '联合行文时按顺序填写主办机关以外的机关；发文字号用主办机关的',
      render: (control) => <NamesInput control={control} placeholder="输入机关名称，多个用顿号隔开" />,
    },
    parties('main_send', '行文'),
    parties('copy_send', '行文'),
    {
      name: 'issuer',
      group: '行文',
      help: '上行文必须填写',
      render: (control) => (
        <PersonPicker
          {...control}
          value={control.value as string | undefined}
          onChange={control.onChange}
          known={known?.issuer_info ? [known.issuer_info] : []}
        />
      ),
    },
    {
      name: 'joint_issuers',
      group: '行文',
      when: ({ joint_orgs }) => Array.isArray(joint_orgs) && joint_orgs.length > 0,
      help: '上行文按联合发文机关的顺序填写各机关签发人的姓名',
      render: (control) => <NamesInput control={control} placeholder="输入姓名，多个用顿号隔开" />,
    },
    {
      name: 'number_rule_id',
      group: '行文',
      help: '决定发文字号；不选则按类别取用，登记编号时还可以选',
      render: (control) => <AgencySelect control={control} />,
    },
    {
      name: 'redhead_id',
      group: '行文',
      help: '不选则按文种取用，没有时用发文机关全称加“文件”',
      render: (control) => <LetterheadSelect control={control} />,
    },
    ...openness,
    { name: 'annotation', group: '行文', placeholder: '例如：此件主动公开', help: '排版时自动加圆括号' },
    { name: 'contact_name', group: '行文' },
    { name: 'contact_phone', group: '行文' },
  ];
  const answered: FormField = {
    name: 'reply_to_id',
    group: '行文',
    help: '答复、批复来文时选择原文，两份公文会互相关联',
    render: (control) => <DocumentPicker control={control} known={known?.reply_to_info} />,
  };
  const signers: FormField = {
    name: 'co_depts',
    label: '会签部门',
    group: '办理',
    help: '由各部门负责人会签',
    render: (control) => (
      <DeptPicker {...control} multiple value={control.value as number[] | undefined} onChange={control.onChange} />
    ),
  };
  const body: FormField[] = [
    {
      name: 'body_file',
      group: '正文',
      help: `正文已写成文件的在这里上传，接受 ${bodyKinds.join('、')}；不上传则在下面填写`,
      render: (control) => <BodyFile control={control} known={known?.body_file ?? null} />,
    },
    {
      name: 'body_html',
      group: '正文',
      when: ({ body_file }) => !body_file,
      help: '可从 Word 粘贴；层次写作一、（一）1.（1），附件说明、署名和日期由排版自动加上',
      render: (control) => (
        <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
          <RichText control={control} label="正文" />
        </Suspense>
      ),
    },
    {
      name: 'attachments',
      group: '正文',
      render: (control) => (
        <FilesField
          control={control}
          label="附件"
          module="documents"
          accept={accept}
          max={20}
          known={known?.attachments ?? []}
        />
      ),
    },
  ];
  if (kind === docKind.receiving) return [...head, ...coming, ...body];
  return [...head, ...(kind === docKind.sending ? going : []), answered, ...body, signers];
}

/** The form values of a loaded document. */
export const valuesOf = (doc: DocumentDetail): Record<string, unknown> => ({
  ...doc,
  due_at: doc.due_at?.slice(0, 16).replace(' ', 'T') ?? null,
  body_file: doc.body_file?.id ?? null,
  attachments: doc.attachments.map((file) => file.id),
});
