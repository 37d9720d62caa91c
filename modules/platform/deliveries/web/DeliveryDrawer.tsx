import { Descriptions, Drawer, Tag, Timeline } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { channels, DeliveryRow } from '../contract.ts';
import { ResendButton } from './ResendButton.tsx';
import { Answer } from './Answer.tsx';
import { StateTag } from './StateTag.tsx';

/** One delivery: recipient, state, and every try. */
export function DeliveryDrawer({ row, onClose }: { row: DeliveryRow | null; onClose: () => void }) {
  const narrow = useNarrow();
  return (
    <Drawer
      title="投递详情"
      open={row !== null}
      onClose={onClose}
      size={narrow ? '100%' : 560}
      destroyOnHidden
      extra={row && <ResendButton row={row} onDone={onClose} />}
    >
      {row && (
        <div className="kit-stack">
          <Descriptions
            column={1}
            size="small"
            bordered
            items={factsOf(DeliveryRow, {
              title: row.title,
              channel: channels[row.channel],
              target: row.target,
              user_name: row.user_name ?? '—',
              state: <StateTag row={row} />,
              due_at: row.state === 'retrying' ? { heading: '下次投递', shown: row.due_at } : row.due_at,
              sent_at: row.sent_at ?? '—',
              provider_id: row.provider_id ?? '—',
              key: <CopyText text={row.key} />,
            })}
          />
          <h3>投递记录</h3>
          {row.log.length === 0 && <p className="kit-muted">还没有投递过</p>}
          <Timeline
            items={row.log.map((one) => ({ key: one.number, color: colorOf(one), content: <Try of={one} /> }))}
          />
        </div>
      )}
    </Drawer>
  );
}

type Attempt = DeliveryRow['log'][number];
const colorOf = ({ done, ended_at }: Attempt) => (done ? 'green' : ended_at ? 'red' : 'gray');

function Try({ of }: { of: Attempt }) {
  return (
    <>
      <div>
        {of.started_at} 第 {of.number} 次 {of.repeated && <Tag>重复投递</Tag>}
      </div>
      <div className="kit-muted">
        {of.ended_at ? of.answer ? <Answer words={of.answer} /> : of.done ? '成功' : '失败' : '未收到结果'}
      </div>
    </>
  );
}
