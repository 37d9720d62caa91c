import { optionsOf } from '#kernel/contract/titles.ts';
import { act, useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { documents } from '../../contract.ts';
import { documentAdoption } from '../../contract/adopt.ts';
import { docLevel, type DocumentDetail } from '../../contract/shapes.ts';

const movesDue = (doc: DocumentDetail) => doc.actions.includes('move_due');
/** Reminds the present handlers of a document. */
const urge: Act<DocumentDetail> = act({
  label: '催办',
  title: '催办',
  call: documents.urge,
  fields: [{ name: 'content', kind: 'textarea' }],
  done: ({ sent }) => `已提醒 ${sent} 人`,
});
const acts: Acts<DocumentDetail> = {
  adopt: act({
    label: '转为制度文件',
    title: '转为制度文件',
    call: documentAdoption.adopt,
    only: [],
    also: (doc) => ({ document_id: doc.id }),
    confirm: '按标题、字号、日期、正文和附件生成一份草稿，补充阅读范围后再发布',
    invalidates: ['document', 'folder', 'links'],
    next: ({ page }) => page,
  }),
  urge,
  level: {
    label: '调整等级',
    title: '调整紧急程度',
    call: documents.level,
    initial: (doc) => ({ level: doc.level }),
    fields: [{ name: 'level', kind: 'select', options: optionsOf(docLevel.names) }, { name: 'reason' }],
    done: '已调整',
  },
  due: {
    label: (doc) => (movesDue(doc) ? '调整时限' : '设定时限'),
    title: (doc) => (movesDue(doc) ? '调整办理时限' : '设定办理时限'),
    call: documents.due,
    offered: (doc) => movesDue(doc) || doc.actions.includes('set_due'),
    code: null,
    initial: (doc) => ({ due_at: movesDue(doc) ? doc.due_at?.slice(0, 16).replace(' ', 'T') : null }),
    fields: (doc) => [
      { name: 'due_at', kind: 'datetime-local', help: '留空则按紧急程度计算' },
      { name: 'reason', help: movesDue(doc) ? '写明为什么调整，办理的人会收到' : '' },
    ],
    done: (_reply, doc) => (movesDue(doc) ? '时限已调整' : '时限已设定'),
  },
  answer: {
    label: '登记答复情况',
    title: '登记答复情况',
    call: documents.noteAnswer,
    offered: (doc) => doc.actions.includes('note_answer'),
    code: null,
    initial: (doc) => ({ answer_note: doc.answer_note }),
    fields: [
      {
        name: 'answer_note',
        kind: 'textarea',
        help: '不另行文答复时写明谁、何时、怎样答复；有批复或复函的，请在其中选定“答复的公文”',
      },
    ],
    submit: '登记答复',
    done: '答复情况已登记',
  },
};
const draftOf = (key: string, { id }: DocumentDetail) => `document:${id}:${key}`;
export const useUrging = () => useActs(draftOf, { urge });

/** Actions on a document besides those of its workflow. */
export function DocumentActions({ doc }: { doc: DocumentDetail }) {
  const { buttons, drawer } = useActs(draftOf, acts);
  return (
    <>
      <CallButton call={doc.collected ? documents.uncollect : documents.collect} asked={{ params: { id: doc.id } }}>
        {doc.collected ? '取消收藏' : '收藏'}
      </CallButton>
      {buttons(doc, doc.actions)}
      {drawer}
    </>
  );
}
