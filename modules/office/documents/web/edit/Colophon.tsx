import { Descriptions } from 'antd';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { documents } from '../../contract.ts';
import { DocumentDetail } from '../../contract/shapes.ts';

const acts: Acts<DocumentDetail> = {
  colophon: {
    label: '修改版记',
    title: '修改版记',
    call: documents.update,
    offered: () => true,
    code: null,
    initial: ({ colophon, print_copies }) => ({
      print_org: colophon?.print_org,
      print_date: colophon?.print_date,
      print_copies,
    }),
    also: ({ version }) => ({ version }),
    fields: [{ name: 'print_org' }, { name: 'print_date', kind: 'date' }, { name: 'print_copies', kind: 'number' }],
    submit: '保存版记',
    invalidates: ['document'],
    done: '版记已保存',
  },
};

/** The 版记 of a letter being sealed and printed, as it will be; its handler may change it. */
export function Colophon({ doc }: { doc: DocumentDetail }) {
  const { buttons, drawer } = useActs((key, { id }) => `document:${id}:${key}`, acts);
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
        {buttons(doc, [])}
        <span className="kit-muted">用印、印发时按以上内容记入公文</span>
      </div>
      {drawer}
    </section>
  );
}
