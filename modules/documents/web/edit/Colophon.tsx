import { App } from 'antd';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { documents } from '../../contract.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';

/** The 版记 of a letter that is sealed and printed, as it will stand there; whoever has the letter may put it otherwise. */
export function Colophon({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  if (!doc.colophon || !doc.actions.includes('edit')) return null;
  return (
    <section className="kit-panel" aria-label="版记">
      <h2>版记</h2>
      <p className="kit-muted">
        抄送：{doc.copy_send.map((one) => one.name).join('，') || '无'}
        。改动后请先保存；没有改动的，用印、印发时按所示记入公文
      </p>
      <CallForm
        key={doc.version}
        name={`document:${doc.id}:colophon`}
        call={documents.patch}
        params={{ id: doc.id }}
        initial={{ ...doc.colophon, print_copies: doc.print_copies }}
        also={{ version: doc.version }}
        submit="保存版记"
        invalidates={['document']}
        fields={[
          { name: 'print_org', label: '印发机关' },
          { name: 'print_date', label: '印发日期', kind: 'date' },
          { name: 'print_copies', label: '印发份数', kind: 'number' },
        ]}
        onDone={() => void message.success('版记已保存')}
      />
    </section>
  );
}
