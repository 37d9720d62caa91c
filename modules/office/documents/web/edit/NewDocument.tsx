import { App } from 'antd';
import { useNavigate } from 'react-router';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { documents } from '../../contract.ts';
import { docKind, docLevel, docType } from '../../contract/shapes.ts';
import { useDocumentFields } from './fields.tsx';
import { useMeant } from '../useMeant.ts';

const titles = { 1: '拟稿', 2: '收文登记', 3: '写签报' } as const;

/** The form of a new document of a kind: saved as a draft, or sent. */
export function NewDocument({ kind, back }: { kind: 1 | 2 | 3; back: string }) {
  const navigate = useNavigate();
  const become = useBecome();
  const { message } = App.useApp();
  const { force, onRefused } = useMeant();
  const fields = useDocumentFields(kind);
  return (
    <RecordForm
      title={titles[kind]}
      name={`document:new:${kind}`}
      call={documents.create}
      initial={{
        submit: true,
        level: docLevel.usual,
        doc_type: kind === docKind.sending ? docType.notice : docType.other,
      }}
      also={{ doc_kind: kind, force }}
      submit="提交公文"
      invalidates={['document', 'tickets']}
      fields={[
        { name: 'submit', label: '直接提交办理', kind: 'switch', group: '基本', help: '关闭则只存为草稿' },
        ...fields,
      ]}
      onCancel={() => void navigate(back)}
      onRefused={onRefused}
      onDone={({ id, act_state }) => {
        void message.success(act_state === actState.draft ? '草稿已保存' : '公文已提交');
        become(`/document/detail/${id}`);
      }}
    />
  );
}
