import { Alert, Button } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { documentEdits, type Edit } from '../../contract/files/edits.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';

/** The longest value shown within the line. */
const short = 20;

/** One line above the text that lists the last handler's changes for the next one. Details are below the text. */
export function LastEdits({ doc }: { doc: DocumentDetail }) {
  const { data } = useCall(documentEdits.list, { params: { id: doc.id } });
  const last = data?.value[0];
  if (!data || !last || last.no === null) return null;
  const { editor_info, state, gmt_created } = last;
  const other = data.value.findIndex((one) => one.editor_info.id !== editor_info.id || one.state !== state);
  const edits = other < 0 ? data.value : data.value.slice(0, other);
  return (
    <Alert
      type="info"
      showIcon
      role="note"
      aria-label="上一步的修改"
      title={
        <>
          {editor_info.alias}在“{state}”修改了{whatOf(edits)} · <Moment at={gmt_created} />
        </>
      }
      action={
        <Button
          type="link"
          size="small"
          onClick={() => document.querySelector('[aria-label="修改痕迹"]')?.scrollIntoView({ behavior: 'smooth' })}
        >
          查看修改
        </Button>
      }
    />
  );
}

/** The fields of these changes, the newest first, each once; with the new value if it is short. */
function whatOf(edits: readonly Edit[]): string {
  const fields = new Map(edits.toReversed().flatMap((edit) => edit.fields.map((one) => [one.field, one] as const)));
  return [...fields.values()]
    .map(({ field, label, after }) => {
      if (field === 'body_html' || after.length > short) return label;
      return after ? `${label}（改为“${after}”）` : `${label}（已清空）`;
    })
    .join('、');
}
