import { DownloadOutlined, UndoOutlined } from '@ant-design/icons';
import { Alert, App, Button, Checkbox, Drawer, Segmented, Select, Spin } from 'antd';
import { Suspense, useEffect, useRef, useState, type PointerEvent } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { download } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { useLeaveGuard } from '#kernel/web/kit/page.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { PdfPages } from '#modules/platform/files/widgets.tsx';
import { documentMarks, inks, type Ink } from '../../contract/files/marks.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { PageMarks } from './PageMarks.tsx';
import { PenSheet } from './PenSheet.tsx';
import { useInk } from './useInk.ts';
import './marks.css';

type Tool = 'look' | 'pen' | 'eraser';
const tools = [
  { value: 'look', label: '浏览' },
  { value: 'pen', label: '书写' },
  { value: 'eraser', label: '擦除' },
] as const;
const colours = ([1, 2, 3] as const).map((value) => ({ value, label: `${inks[value].name}笔` }));

/** The pages of a document with everybody's marks; the present handler can draw. */
export default function MarksDrawer({
  doc,
  marks,
  onClose,
}: {
  doc: DocumentDetail;
  marks: ReplyOf<typeof documentMarks.list>;
  onClose: () => void;
}) {
  const narrow = useNarrow();
  const { modal } = App.useApp();
  // The digest at opening; a changed text is reported on drawing.
  const [now] = useState(marks.digest);
  const papers = [
    { value: now, label: '当前版面' },
    ...marks.value
      .filter((paper) => paper.digest !== now)
      .map((paper) => ({ value: paper.digest, label: `${paper.gmt_created.slice(0, 16)} 的版面` })),
  ];
  const [chosen, setChosen] = useState(marks.may_mark || papers.length === 1 ? now : first(marks, now));
  const [held, setHeld] = useState(false);
  const current = chosen === now;
  const close = () => {
    if (!held) return onClose();
    modal.confirm({
      title: '还有批注没有保存，关闭后会丢失',
      okText: '仍要关闭',
      okButtonProps: { danger: true },
      cancelText: '继续等待',
      onOk: onClose,
    });
  };
  return (
    <Drawer
      title={`手写批注 ${doc.doc_number || doc.receipt_no} ${doc.title}`}
      open
      onClose={close}
      mask={{ closable: false }}
      size={narrow ? '100%' : 'min(1100px, 94vw)'}
      classNames={{ body: 'preview-body' }}
      extra={<SaveMarked key={chosen} doc={doc} digest={chosen} />}
    >
      {papers.length > 1 && (
        <div className="mark-tools">
          <Select aria-label="版面" value={chosen} onChange={setChosen} options={papers} disabled={held} />
        </div>
      )}
      {!current && <Alert type="info" showIcon title="公文在此之后有改动，这些批注保留在当时的版面上，只供查看" />}
      <Marked key={chosen} doc={doc} digest={chosen} marks={marks} draws={current && marks.may_mark} onHeld={setHeld} />
    </Drawer>
  );
}

/** The initial paper: the present one if somebody drew on it, else the last marked one. */
const first = ({ value }: ReplyOf<typeof documentMarks.list>, now: string) =>
  value.some((paper) => paper.digest === now) ? now : (value[0]?.digest ?? now);

function SaveMarked({ doc, digest }: { doc: DocumentDetail; digest: string }) {
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const asked = { params: { id: doc.id }, query: { digest, marked: true } };
      const made = await download(documentMarks.pages, asked);
      if (made) saveFile(made.blob, `${doc.title}（带批注）.pdf`);
    } catch {
      // The failure was shown.
    } finally {
      setSaving(false);
    }
  };
  return (
    <Button icon={<DownloadOutlined />} loading={saving} onClick={() => void save()}>
      下载带批注的版面
    </Button>
  );
}

function Marked({
  doc,
  digest,
  marks,
  draws,
  onHeld,
}: {
  doc: DocumentDetail;
  digest: string;
  marks: ReplyOf<typeof documentMarks.list>;
  draws: boolean;
  /** Reports whether there are unsaved strokes. */
  onHeld: (held: boolean) => void;
}) {
  const { pages, why } = usePages(doc.id, digest);
  const ink = useInk(doc.id, digest);
  const [tool, setTool] = useState<Tool>(draws ? 'pen' : 'look');
  const [colour, setColour] = useState<Ink>(1);
  const [hidden, setHidden] = useState<readonly number[]>([]);
  const pens = useRef(false);
  const held = ink.waiting.length > 0 && !ink.refused;
  useEffect(() => onHeld(held), [held, onHeld]);
  useLeaveGuard(`document:marks:${doc.id}`, held);
  const layers = marks.value.find((paper) => paper.digest === digest)?.layers ?? [];
  const last = ink.strokes.findLast((stroke) => stroke.mine);
  // Ignores a hand that rests on the screen beside a pen.
  const touched = (event: PointerEvent) => {
    if (event.pointerType === 'pen') pens.current = true;
    else if (event.pointerType === 'touch' && pens.current && tool === 'pen') event.stopPropagation();
  };
  return (
    <>
      {draws && (
        <div className="mark-tools" role="toolbar" aria-label="批注工具">
          <Segmented aria-label="工具" value={tool} onChange={setTool} options={[...tools]} />
          {tool === 'pen' && <Segmented aria-label="颜色" value={colour} onChange={setColour} options={colours} />}
          <Button
            icon={<UndoOutlined aria-hidden="true" />}
            disabled={!last || held}
            onClick={() => last && void ink.erase(last)}
          >
            撤销一笔
          </Button>
          <span role="status" className="kit-muted">
            {saved(ink.waiting.length, ink.failure)}
          </span>
        </div>
      )}
      {ink.refused && <Alert type="error" showIcon title={`最后 ${ink.waiting.length} 笔没有保存：${ink.failure}`} />}
      {layers.length > 0 && (
        <div className="mark-tools" role="group" aria-label="显示的批注">
          {layers.map(({ user_info, strokes }) => (
            <Checkbox
              key={user_info.id}
              checked={!hidden.includes(user_info.id)}
              onChange={({ target }) =>
                setHidden((before) =>
                  target.checked ? before.filter((one) => one !== user_info.id) : [...before, user_info.id],
                )
              }
            >
              {user_info.alias} {strokes} 笔
            </Checkbox>
          ))}
        </div>
      )}
      {why && <p role="status">{why}</p>}
      {!pages && !why && <Spin description="正在排版…" />}
      {pages && (
        <div className={tool === 'eraser' ? 'mark-place mark-erasing' : 'mark-place'} onPointerDownCapture={touched}>
          <Suspense fallback={<Spin />}>
            <PdfPages
              source={pages}
              name={doc.title}
              over={(page, ratio) => (
                <>
                  <PageMarks
                    ratio={ratio}
                    strokes={ink.strokes.filter((one) => one.page === page && !hidden.includes(one.user_id))}
                    waiting={ink.waiting.filter((one) => one.page === page)}
                    erase={draws && tool === 'eraser' ? (stroke) => void ink.erase(stroke) : undefined}
                  />
                  {draws && tool === 'pen' && <PenSheet page={page} ink={colour} onStrokes={ink.draw} />}
                </>
              )}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}

const saved = (waiting: number, failure: string) => {
  if (waiting === 0) return '写下的都已保存';
  return failure ? `${waiting} 笔没有保存，正在重试` : `正在保存 ${waiting} 笔`;
};

function usePages(id: number, digest: string) {
  const [found, setFound] = useState<{ pages?: Blob; why?: string }>({});
  useEffect(() => {
    const stop = new AbortController();
    download(documentMarks.pages, { params: { id }, query: { digest } }, { signal: stop.signal, quiet: true }).then(
      (answer) => !stop.signal.aborted && setFound(answer ? { pages: answer.blob } : { why: '没有内容' }),
      (error: unknown) => !stop.signal.aborted && setFound({ why: (error as CallFailed).message }),
    );
    return () => stop.abort();
  }, [id, digest]);
  return found;
}
