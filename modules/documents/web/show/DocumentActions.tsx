import { App, Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { optionsOf } from '#kernel/contract/titles.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { documents } from '../../contract.ts';
import { documentAdoption } from '../../contract/adopt.ts';
import { levels, type DocumentDetail } from '../../contract/shapes.ts';

/** What may be done with a document besides its workflow. */
export function DocumentActions({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'urge' | 'level' | 'answer' | null>(null);
  const params = { id: doc.id };
  const may = (code: string) => doc.actions.includes(code);
  const drawer = { open: true, onClose: () => setOpen(null), params };
  return (
    <>
      <CallButton call={doc.collected ? documents.uncollect : documents.collect} asked={{ params }}>
        {doc.collected ? '取消收藏' : '收藏'}
      </CallButton>
      <CallButton
        call={documentAdoption.adopt}
        asked={{ body: { document_id: doc.id } }}
        code={null}
        allowed={may('adopt')}
        confirm={{ title: '转为制度文件', content: '按标题、字号、日期、正文和附件生成一份草稿，补充阅读范围后再发布' }}
        invalidates={['document', 'folder', 'links']}
        onDone={({ page }) => void navigate(page)}
      >
        转为制度文件
      </CallButton>
      {may('urge') && <Button onClick={() => setOpen('urge')}>催办</Button>}
      {may('level') && <Button onClick={() => setOpen('level')}>调整等级</Button>}
      {may('note_answer') && <Button onClick={() => setOpen('answer')}>登记答复情况</Button>}
      {open === 'urge' && (
        <FormDrawer
          {...drawer}
          title="催办"
          name={`document:${doc.id}:urge`}
          call={documents.urge}
          submit="催办"
          fields={[{ name: 'content', label: '催办内容', kind: 'textarea' }]}
          onDone={({ sent }) => void message.success(`已提醒 ${sent} 人`)}
        />
      )}
      {open === 'answer' && (
        <FormDrawer
          {...drawer}
          title="登记答复情况"
          name={`document:${doc.id}:answer`}
          call={documents.noteAnswer}
          initial={{ answer_note: doc.answer_note }}
          submit="登记答复"
          fields={[
            {
              name: 'answer_note',
              label: '答复情况',
              kind: 'textarea',
              help: '不另行文答复时写明谁、何时、怎样答复；有批复或复函的，请在其中选定“答复的公文”',
            },
          ]}
          onDone={() => void message.success('答复情况已登记')}
        />
      )}
      {open === 'level' && (
        <FormDrawer
          {...drawer}
          title="调整紧急程度"
          name={`document:${doc.id}:level`}
          call={documents.level}
          initial={{ level: doc.level }}
          submit="调整等级"
          fields={[
            {
              name: 'level',
              label: '紧急程度',
              kind: 'select',
              options: optionsOf(levels),
            },
            { name: 'reason', label: '理由' },
          ]}
          onDone={() => void message.success('已调整')}
        />
      )}
    </>
  );
}
