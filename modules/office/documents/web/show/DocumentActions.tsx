import { App, Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { optionsOf } from '#kernel/contract/titles.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { documents } from '../../contract.ts';
import { documentAdoption } from '../../contract/adopt.ts';
import { docLevel, type DocumentDetail } from '../../contract/shapes.ts';
import { UrgeDrawer } from './UrgeDrawer.tsx';

/** Actions on a document besides those of its workflow. */
export function DocumentActions({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'urge' | 'level' | 'due' | 'answer' | null>(null);
  const params = { id: doc.id };
  const may = (code: string) => doc.actions.includes(code);
  const moves = may('move_due');
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
      {(moves || may('set_due')) && <Button onClick={() => setOpen('due')}>{moves ? '调整时限' : '设定时限'}</Button>}
      {may('note_answer') && <Button onClick={() => setOpen('answer')}>登记答复情况</Button>}
      {open === 'urge' && (
        <UrgeDrawer
          id={doc.id}
          onClose={() => setOpen(null)}
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
              kind: 'textarea',
              help: '不另行文答复时写明谁、何时、怎样答复；有批复或复函的，请在其中选定“答复的公文”',
            },
          ]}
          onDone={() => void message.success('答复情况已登记')}
        />
      )}
      {open === 'due' && (
        <FormDrawer
          {...drawer}
          title={moves ? '调整办理时限' : '设定办理时限'}
          name={`document:${doc.id}:due`}
          call={documents.due}
          initial={{ due_at: moves ? doc.due_at?.slice(0, 16).replace(' ', 'T') : null }}
          submit={moves ? '调整时限' : '设定时限'}
          fields={[
            { name: 'due_at', kind: 'datetime-local', help: '留空则按紧急程度计算' },
            { name: 'reason', help: moves ? '写明为什么调整，办理的人会收到' : '' },
          ]}
          onDone={() => void message.success(moves ? '时限已调整' : '时限已设定')}
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
              kind: 'select',
              options: optionsOf(docLevel.names),
            },
            { name: 'reason' },
          ]}
          onDone={() => void message.success('已调整')}
        />
      )}
    </>
  );
}
