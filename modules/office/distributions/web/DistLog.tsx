import { Button, Timeline } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { distributions } from '../contract.ts';

const first = 10;
const max = 100;

/** The history of the document and this distribution, the newest on top. */
export function DistLog({ id }: { id: number }) {
  const [all, setAll] = useState(false);
  const { data } = useCall(distributions.flowLogs, {
    query: { dist_id: id, desc: true, per_page: all ? max : first },
  });
  if (!data || data.value.length === 0) return null;
  return (
    <section className="kit-panel" aria-label="流转与分发">
      <h2 className="dist-heading">流转与分发</h2>
      <Timeline
        items={data.value.map((log) => ({
          key: log.key,
          color: log.kind === 'dist' ? 'green' : 'gray',
          content: (
            <>
              <div className="kit-row">
                <strong>{[log.state_name, log.action_name].filter(Boolean).join(' · ')}</strong>
                <span>{log.participant_info?.alias ?? '系统'}</span>
                <span className="kit-muted">
                  <Moment at={log.gmt_created} />
                </span>
              </div>
              {log.content && <p className="dist-said">{log.content}</p>}
            </>
          ),
        }))}
      />
      {!all && data.total > first && (
        <Button size="small" onClick={() => setAll(true)}>
          查看全部 {data.total} 条
        </Button>
      )}
    </section>
  );
}
