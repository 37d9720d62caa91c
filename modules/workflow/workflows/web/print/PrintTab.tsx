import { Button } from 'antd';
import { Suspense, useRef, useState } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { printedBesides, usualTemplate } from '../../engine/fields/print-template.ts';
import { changeSettings } from '../designer/state/edits.ts';
import type { Designer } from '../designer/state/useDesigner.ts';

const TemplateEditor = later(() => patiently(() => import('./TemplateEditor.tsx')));

/** The printed form of tickets: a document with fields in it; without one, the form as a table. */
export function PrintTab({ designer: { draft, edit } }: { designer: Designer }) {
  const { fields, settings } = draft;
  const { print_template: template } = settings;
  const put = (next: string | undefined) =>
    edit((now) => changeSettings(now, { print_template: next }), 'settings:print_template');
  const names: Readonly<Record<string, string>> = {
    ...printedBesides,
    ...Object.fromEntries(fields.map(({ key, name }) => [key, name])),
  };
  const [round, setRound] = useState(0);
  const latest = useRef(put);
  latest.current = put;
  if (!template)
    return (
      <section className="kit-panel kit-stack" aria-label="打印模板">
        <EmptyState why="没有打印模板，打印时按表单逐行列出" />
        <div className="kit-actions">
          <Button type="primary" onClick={() => put(usualTemplate(fields))}>
            按表单生成模板
          </Button>
        </div>
      </section>
    );
  return (
    <section className="kit-panel kit-stack print-template" aria-label="打印模板">
      <div className="kit-row">
        <span className="kit-grow kit-muted">像写文档一样编辑；工单按发起时的版本打印，看不到的字段印出来是空白</span>
        <Button
          onClick={() => {
            put(usualTemplate(fields));
            setRound(round + 1);
          }}
        >
          重新按表单生成
        </Button>
        <Button danger onClick={() => put(undefined)}>
          删除模板
        </Button>
      </div>
      <Suspense fallback={<p className="kit-muted">正在打开…</p>}>
        <TemplateEditor key={round} value={template} names={names} onChange={(html) => latest.current(html)} />
      </Suspense>
    </section>
  );
}
