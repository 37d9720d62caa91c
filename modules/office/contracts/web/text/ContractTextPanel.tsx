import { Alert, Button, Skeleton, Space, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { ComingPart } from '#kernel/web/live/together.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FileLinks, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { contractTexts, type ContractHtml, type TextVersion } from '../../contract/texts.ts';
import { Changes } from './Changes.tsx';
import { ShownText } from './editor.ts';

type What = 'pdf' | 'sheet';
const titles: Record<What, string> = { pdf: '合同', sheet: '审批单' };

/** The text of a contract on its page: the words, the PDF, differences from its template, and the version of every round. */
export function ContractTextPanel({ id, name, version }: { id: number; name: string; version: number }) {
  const { data, error, refetch } = useCall(contractTexts.html, { params: { id } });
  const [paper, setPaper] = useState<What | null>(null);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" />;
  return (
    <section className="kit-panel kit-stack" aria-label="合同文本">
      <div className="kit-row contract-head">
        <h2>合同文本</h2>
        {data.watermark && <Tag color={data.watermark === '作废' ? 'error' : 'warning'}>{data.watermark}</Tag>}
        {data.standard && <Tag color="success">示范文本，未改动</Tag>}
        {data.text_version > 0 && <span className="kit-muted">送审第 {data.text_version} 版</span>}
        <span className="kit-grow" />
        <Space wrap>
          <Button onClick={() => setPaper('pdf')}>预览 PDF</Button>
          <Button onClick={() => setPaper('sheet')}>审批单</Button>
        </Space>
      </div>
      {data.unfilled.length > 0 && <Alert type="warning" showIcon title={`还没有填写：${data.unfilled.join('、')}`} />}
      {data.html && (
        <Suspense
          fallback={
            <ComingPart>
              <Skeleton active />
            </ComingPart>
          }
        >
          <div className="contract-shown">
            <ShownText html={data.html} />
          </div>
        </Suspense>
      )}
      {data.file && <FileText file={data.file} />}
      {data.sent_diff.length > 0 && (
        <details open>
          <summary>与上次送审的差别</summary>
          <Changes parts={data.sent_diff} />
        </details>
      )}
      {data.template_diff.length > 0 && (
        <details>
          <summary>与模板的差别</summary>
          <Changes parts={data.template_diff} />
        </details>
      )}
      {data.text_version > 0 && <Versions id={id} />}
      {paper && (
        <Suspense fallback={null}>
          <PdfDrawer
            title={`${titles[paper]} ${name}`}
            about={`${paper}:${id}:${version}`}
            fetch={(signal) => download(contractTexts[paper], { params: { id } }, { signal, quiet: true })}
            onClose={() => setPaper(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

/** An uploaded text: the file, and beside it the text read from it. */
function FileText({ file: { card, words, losses } }: { file: NonNullable<ContractHtml['file']> }) {
  return (
    <>
      <FileLinks files={[card]} />
      {losses.length > 0 && <p className="kit-muted">{losses.join('；')}</p>}
      {words && (
        <details open>
          <summary>文件里的文字（供核对和比较，以文件为准）</summary>
          <div className="contract-shown contract-changes">{words}</div>
        </details>
      )}
    </>
  );
}

function Versions({ id }: { id: number }) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(contractTexts.versions, { params: { id } }, { enabled: open });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>送审的各版文本</summary>
      {data?.map((one) => (
        <Version key={one.no} one={one} />
      ))}
    </details>
  );
}

function Version({ one }: { one: TextVersion }) {
  return (
    <article className="kit-stack">
      <p>
        第 {one.no} 版 · {one.who} · {one.at.slice(0, 16)} {one.standard && <Tag color="success">示范文本</Tag>}
        {one.file && <a href={one.file.url}>{one.file.name}</a>}
      </p>
      <p className="kit-muted contract-changes">SHA-256 {one.sha256}</p>
      {one.diff.length > 0 && <Changes parts={one.diff} />}
      {one.html && (
        <details>
          <summary>查看全文</summary>
          <Suspense fallback={<Skeleton active />}>
            <ShownText html={one.html} />
          </Suspense>
        </details>
      )}
    </article>
  );
}
