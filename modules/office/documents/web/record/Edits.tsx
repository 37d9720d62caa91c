import { Alert, Button } from 'antd';
import { Fragment, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { documentEdits, type Edit } from '../../contract/files/edits.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { Trace } from './Trace.tsx';

const few = 3;

/** 花脸稿: the body with all insertions and deletions since sending, and the changes of other fields. */
export function Edits({ doc: { id } }: { doc: DocumentDetail }) {
  const [all, setAll] = useState(false);
  const { data } = useCall(documentEdits.list, { params: { id } });
  if (!data || data.total === 0) return null;
  const shown = all ? data.value : data.value.slice(0, few);
  const byNo = new Map(data.value.map((edit) => [edit.no, edit]));
  const whoOf = (no: number | null) => {
    const edit = no === null ? undefined : byNo.get(no);
    return edit && `${edit.editor_info.alias} ${edit.gmt_created.slice(0, 16)}`;
  };
  return (
    <section className="kit-panel" aria-label="修改痕迹">
      <h2>修改痕迹</h2>
      {data.body.length > 0 && (
        <p className="document-body document-trace" aria-label="正文花脸稿">
          {data.body.map((part, index) => (
            <Fragment key={index}>
              <Trace part={part} by={whoOf(part.no) ?? ''} />
              {part.no !== null && <sup className="document-mark">{part.no}</sup>}
            </Fragment>
          ))}
        </p>
      )}
      {data.unread && <Alert type="info" showIcon title="有一个版本的正文文件没有读出文字，没有列入比对" />}
      <ol className="document-edits" aria-label="修改记录">
        {shown.map((edit) => (
          <EditLine key={edit.id} edit={edit} marked={data.body.some((part) => part.no === edit.no)} />
        ))}
      </ol>
      {data.total > few && (
        <Button type="text" aria-expanded={all} onClick={() => setAll((before) => !before)}>
          {all ? '收起' : `全部 ${data.total} 次修改`}
        </Button>
      )}
    </section>
  );
}

/** `marked`: its changes of the body are shown in the whole text already. */
function EditLine({ edit, marked }: { edit: Edit; marked: boolean }) {
  const { no, editor_info, state, fields, gmt_created } = edit;
  return (
    <li>
      <p className="kit-muted">
        {no !== null && <span className="document-mark">{no}</span>} {editor_info.alias} 在“{state}”修改 ·{' '}
        <Moment at={gmt_created} />
      </p>
      <dl>
        {fields.map(({ field, label, before, after }) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>
              {marked && field === 'body_html' ? (
                `见上文标有 ${no} 的地方`
              ) : (
                <>
                  {before && <del className="document-gone">{before}</del>}{' '}
                  {after && <ins className="document-new">{after}</ins>}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
