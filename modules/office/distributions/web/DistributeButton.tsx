import { App, Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
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

/** Gives a document out from its page, by default to its addressees. */
export function DistributeButton({ doc }: { doc: Addressed & Pick<DocumentDetail, 'id' | 'title' | 'secret_level'> }) {
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>分发</Button>
      {open && (
        <FormDrawer
          open
          onClose={() => setOpen(false)}
          title={`分发《${doc.title}》`}
          name={`document:${doc.id}:distribute`}
          call={distributions.create}
          also={{ document_id: doc.id }}
          initial={{ recipients: { ...nobody, depts: addressed(doc) }, need_receipt: false, sms: false }}
          submit="分发公文"
          fields={fields(doc.secret_level > secretLevel.none)}
          onDone={({ id, total }) => {
            void message.success(`已分发给 ${total} 人`);
            void navigate(`/document/dist/detail/${id}`);
          }}
        />
      )}
    </>
  );
}
