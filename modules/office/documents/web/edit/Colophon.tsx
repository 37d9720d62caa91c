import { App, Button, Descriptions } from 'antd';
import { useState } from 'react';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { documents } from '../../contract.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';

/** The 版记 of a letter that is sealed and printed, as it will stand there; whoever has the letter may put it otherwise. */
export function Colophon({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  if (!doc.colophon || !doc.actions.includes('edit')) return null;
  const { print_org, print_date } = doc.colophon;
  const facts = [
    ['抄送', doc.copy_send.map((one) => one.name).join('，') || '无'],
    ['印发机关', print_org],
    ['印发日期', print_date ?? ''],
    ['印发份数', doc.print_copies ?? '未填写'],
  ] as const;
  return (
    <section className="kit-panel kit-stack" aria-label="版记">
      <h2>版记</h2>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={facts.map(([label, children]) => ({ key: label, label, children }))}
      />
      <div className="kit-row">
        <Button onClick={() => setOpen(true)}>修改版记</Button>
        <span className="kit-muted">用印、印发时按以上内容记入公文</span>
      </div>
      {open && (
        <FormDrawer
          open
          onClose={() => setOpen(false)}
          title="修改版记"
          name={`document:${doc.id}:colophon`}
          call={documents.update}
          params={{ id: doc.id }}
          initial={{ print_org, print_date, print_copies: doc.print_copies }}
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
      )}
    </section>
  );
}
