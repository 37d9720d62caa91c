import { Descriptions, Drawer, Tag, Timeline } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { channels, type DeliveryRow } from '../contract.ts';
import { ResendButton } from './ResendButton.tsx';
import { Answer } from './Answer.tsx';
import { StateTag } from './StateTag.tsx';

/** One delivery: where it goes, where it stands, and every try. */
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
            items={[
              { key: 'title', label: '标题', children: row.title },
              { key: 'channel', label: '渠道', children: channels[row.channel] },
              { key: 'target', label: '去向', children: row.target },
              { key: 'user', label: '接收人', children: row.user_name ?? '—' },
              { key: 'state', label: '状态', children: <StateTag row={row} /> },
              { key: 'due', label: row.state === 'retrying' ? '下次投递' : '应投时间', children: row.due_at },
              { key: 'sent', label: '送达时间', children: row.sent_at ?? '—' },
              { key: 'provider', label: '对方编号', children: row.provider_id ?? '—' },
              { key: 'key', label: '编号', children: <CopyText text={row.key} /> },
            ]}
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
