import { Descriptions, Drawer, Tag } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { deviceName } from '#kernel/contract/words/device.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { LogRow } from '../contract.ts';
import { Differences } from './Differences.tsx';

/** One entry of the log: person, origin, changes, and its position in the chain. */
export function LogDrawer({ row, onClose }: { row: LogRow | null; onClose: () => void }) {
  const narrow = useNarrow();
  return (
    <Drawer title="操作详情" open={row !== null} onClose={onClose} size={narrow ? '100%' : 640} destroyOnHidden>
      {row && (
        <div className="kit-stack">
          <Descriptions
            column={1}
            size="small"
            bordered
            items={factsOf(LogRow, {
              gmt_created: row.gmt_created,
              username: { heading: '用户', shown: personText(row) },
              action: `${row.module_name} · ${row.action}`,
              object_type: [row.object_type, row.title].filter(Boolean).join('：') || '—',
              result: resultTag(row.result),
              ip: row.ip,
              ua: row.ua ? <span title={row.ua}>{deviceName(row.ua)}</span> : '—',
              path: `${row.method} ${row.path}（${row.ms} 毫秒）`,
              trace_id: <CopyText text={row.trace_id} />,
              seal: row.seal ? `第 ${row.seal} 条 ${row.hash?.slice(0, 16)}…` : '即将封存',
            })}
          />
          <Differences of={row.diff} />
        </div>
      )}
    </Drawer>
  );
}

/** A tag whose words are known before it is drawn, so that columns have room for them. */
export function resultTag(code: number) {
  return code === 0 ? <Tag color="success">成功</Tag> : <Tag color="error">被拒绝 {code}</Tag>;
}

export const personText = (row: Pick<LogRow, 'username' | 'alias'>) =>
  row.username ? `${row.alias}（${row.username}）` : '未登录';
