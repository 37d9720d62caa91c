import { Descriptions, Drawer, Tag } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { deviceName } from '#kernel/contract/words/device.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import type { LogRow } from '../contract.ts';
import { logName } from '../contract/log-names.ts';
import { Differences } from './Differences.tsx';

/** One entry of the log: who, from where, what changed, and its place in the chain. */
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
            items={[
              { key: 'at', label: '时间', children: row.gmt_created },
              { key: 'who', label: '用户', children: personText(row) },
              { key: 'action', label: '操作', children: `${logName(row.module)} · ${row.action}` },
              {
                key: 'object',
                label: '对象',
                children: [row.object_type, row.title].filter(Boolean).join('：') || '—',
              },
              { key: 'result', label: '结果', children: <ResultTag code={row.result} /> },
              { key: 'ip', label: 'IP 地址', children: row.ip },
              { key: 'ua', label: '浏览器', children: row.ua ? <span title={row.ua}>{deviceName(row.ua)}</span> : '—' },
              { key: 'path', label: '接口', children: `${row.method} ${row.path}（${row.ms} 毫秒）` },
              { key: 'trace', label: '编号', children: <CopyText text={row.trace_id} /> },
              {
                key: 'seal',
                label: '封存',
                children: row.seal ? `第 ${row.seal} 条 ${row.hash?.slice(0, 16)}…` : '即将封存',
              },
            ]}
          />
          <Differences of={row.diff} />
        </div>
      )}
    </Drawer>
  );
}

export function ResultTag({ code }: { code: number }) {
  return code === 0 ? <Tag color="success">成功</Tag> : <Tag color="error">被拒绝 {code}</Tag>;
}

export const personText = (row: Pick<LogRow, 'username' | 'alias'>) =>
  row.username ? `${row.alias}（${row.username}）` : '未登录';
