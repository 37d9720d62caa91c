import { App, Button, Descriptions } from 'antd';
import { useState } from 'react';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { documents } from '../../contract.ts';
import { DocumentDetail } from '../../contract/shapes.ts';

/** The 版记 of a letter being sealed and printed, as it will be; its handler may change it. */
export function Colophon({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  if (!doc.colophon || !doc.actions.includes('edit')) return null;
  const { print_org, print_date } = doc.colophon;
  const facts = factsOf(DocumentDetail, {
    copy_send: doc.copy_send.map((one) => one.name).join('，') || '无',
    print_org,
    print_date: print_date ?? '—',
    print_copies: doc.print_copies ?? '未填写',
  });
  return (
    <section className="kit-panel kit-stack" aria-label="版记">
      <h2>版记</h2>
      <Descriptions column={{ xs: 1, md: 2 }} items={facts} />
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
            { name: 'print_org' },
            { name: 'print_date', kind: 'date' },
            { name: 'print_copies', kind: 'number' },
          ]}
          onDone={() => void message.success('版记已保存')}
        />
      )}
    </section>
  );
}
