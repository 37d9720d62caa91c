import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { act, useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import type { DocumentDetail } from '#modules/office/documents/contract/shapes.ts';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { AudienceInput } from '#modules/platform/people/widgets.tsx';
import { distributions } from '../contract.ts';

const fields = (secret: boolean): FormField[] => [
  {
    name: 'recipients',
    help: '部门、人员、角色合并去重，每人一份',
    render: (control) => <AudienceInput {...control} />,
  },
  { name: 'note' },
  { name: 'deadline', kind: 'datetime-local', help: '到期前一天提醒还没有阅读的人' },
  { name: 'need_receipt', kind: 'switch', help: '打开不算已读，接收人要点“签收”' },
  ...(secret ? [] : [{ name: 'sms', kind: 'switch' } as const]),
];

/** The departments of the school to which a document is addressed. */
const addressed = ({ main_send, copy_send }: Addressed) => [
  ...new Set([...main_send, ...copy_send].flatMap(({ type, id }) => (type === 'dept' && id ? [id] : []))),
];
type Addressed = Pick<DocumentDetail, 'main_send' | 'copy_send'>;

type Given = Addressed & Pick<DocumentDetail, 'id' | 'title' | 'secret_level'>;
const acts: Acts<Given> = {
  distribute: act({
    label: '分发',
    title: (doc) => `分发《${doc.title}》`,
    call: distributions.create,
    also: ({ id }) => ({ document_id: id }),
    initial: (doc) => ({ recipients: { ...nobody, depts: addressed(doc) }, need_receipt: false, sms: false }),
    fields: (doc) => fields(doc.secret_level > secretLevel.none),
    submit: '分发公文',
    done: ({ total }) => `已分发给 ${total} 人`,
    next: ({ id }) => `/document/dist/detail/${id}`,
  }),
};

/** Gives a document out from its page, by default to its addressees. */
export function DistributeButton({ doc }: { doc: Given }) {
  const { buttons, drawer } = useActs((key, { id }) => `document:${id}:${key}`, acts);
  return (
    <>
      {buttons(doc, ['distribute'])}
      {drawer}
    </>
  );
}
