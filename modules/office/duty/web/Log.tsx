import { Tag, Timeline } from 'antd';
import type { ReactNode } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import type { dutyCalls, Entry } from '../contract.ts';
import { entryKind, incident } from '../contract/codes.ts';

/** The log of a shift: the take-over, each entry with its outcome, the hand-over. */
export function Log({ shift, close }: { shift: ReplyOf<typeof dutyCalls.get>; close: (entry: Entry) => ReactNode }) {
  const { taken, handover, log } = shift;
  const line = (at: string, words: string, signature: FileCard | null) => ({
    content: (
      <>
        {shortDate(at)} {words}
        {signature && <img className="duty-signature" src={signature.url} alt="手写签名" />}
      </>
    ),
  });
  return (
    <section className="kit-panel" aria-label="值班日志">
      <h2>值班日志</h2>
      <Timeline
        items={[
          ...(taken ? [line(taken.at, `${taken.by_name}接班 ${taken.note}`, taken.signature)] : []),
          ...log.map((entry) => ({
            color: entry.handled ? 'gray' : entry.urgent ? 'red' : 'blue',
            content: (
              <>
                <span className="kit-figures">{shortDate(entry.at)}</span> <Tag>{entryKind.label(entry.kind)}</Tag>
                {entry.urgent && <Tag color="error">紧急</Tag>}
                {entry.late_reason && <Tag color="warning">补登</Tag>}
                {entry.shift_id !== shift.id && <Tag>上一班移交</Tag>}
                {entry.content}
                <div className="kit-muted">
                  {[
                    entry.from,
                    entry.told && `已报告${entry.told}`,
                    `${entry.by_name}记录`,
                    entry.late_reason && `补登原因：${entry.late_reason}`,
                    !entry.handled && '未办结',
                  ]
                    .filter(Boolean)
                    .join('，')}
                </div>
                {entry.files.length > 0 && <FileLinks files={entry.files} />}
                <div className="kit-row">
                  {!entry.handled && shift.actions.includes('log') && close(entry)}
                  {(entry.urgent || entry.kind === incident) && (
                    <MatterButtons
                      source={{ module: 'duty', id: entry.shift_id, key: String(entry.id) }}
                      title={entry.content.slice(0, 60)}
                      content={entry.content}
                    />
                  )}
                </div>
              </>
            ),
          })),
          ...(handover
            ? [
                line(
                  handover.at,
                  `${handover.by_name}交班，移交 ${handover.open.length} 项 ${handover.note}`,
                  handover.signature,
                ),
              ]
            : []),
        ]}
      />
    </section>
  );
}
