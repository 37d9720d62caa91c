import { PhoneOutlined } from '@ant-design/icons';
import { Alert, Button, Tag } from 'antd';
import { Link } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { orderStage } from '../contract/codes.ts';
import { orders } from '../contract/orders.ts';
import type { OrderRow } from '../contract/shapes.ts';
import { Level, Light, StageTag } from './parts/columns.tsx';
import { actionOf, useActions } from './parts/actions.tsx';
import { useQueue } from './parts/queue.ts';

const shownActions = ['take', 'start', 'finish', 'resume', 'hang', 'material', 'fee', 'release'];
/** The actions possible after one that waits for the network. */
const next: Readonly<Record<string, string[]>> = {
  接单: ['start', 'finish', 'hang'],
  到场: ['finish', 'hang', 'material'],
  恢复: ['finish', 'hang'],
  挂起: ['resume'],
};
const urgency = (row: OrderRow) =>
  `${row.appoint_time?.slice(0, 10) === dayOf(new Date()) ? `0${row.appoint_time}` : '1'} ${row.due_at ?? '9'}`;

/** 维修任务: my repairs, made for a phone; actions without network are kept and sent later. */
export default function TaskPage() {
  usePageTitle('维修任务');
  const { data } = useCall(
    orders.list,
    { query: { category: 'duty', per_page: 100 } },
    { meta: live, refetchInterval: 60_000 },
  );
  const { waiting, add, drop } = useQueue();
  const { buttons, drawer } = useActions((row, key, body) => {
    const { label, call, also } = actionOf(key);
    add({
      call: call === orders.act ? 'act' : 'statePost',
      id: row.id,
      title: row.title,
      label,
      body: { ...also, ...body },
    });
  });
  const rows = (data?.value ?? [])
    .filter((row) => row.stage >= orderStage.assigned && row.stage <= orderStage.hung)
    .toSorted((a, b) => urgency(a).localeCompare(urgency(b)));
  return (
    <section className="kit-list order-big" aria-label="维修任务">
      <header className="kit-row kit-list-head">
        <h1>维修任务</h1>
      </header>
      {waiting.map(({ attempt, title, label, refused }) => (
        <Alert
          key={attempt}
          type={refused ? 'error' : 'info'}
          showIcon
          title={refused ? `${title}：${label}未成功，${refused}` : `${title}：${label}，等待网络恢复后提交`}
          action={refused && <Button onClick={() => drop(attempt)}>知道了</Button>}
        />
      ))}
      {data && rows.length === 0 && <EmptyState why="没有等您办理的维修任务；派给您的会出现在这里" />}
      <div className="order-cards">
        {rows.map((row) => {
          const last = waiting.findLast((one) => one.id === row.id && !one.refused);
          const shown = last ? { ...row, actions: next[last.label] ?? [] } : row;
          return (
            <article key={row.id} className="kit-panel" aria-label={row.title}>
              <div className="kit-row">
                <StageTag stage={row.stage} />
                <Level level={row.level} />
                <Light row={row} />
                {row.reopen_count > 0 && <Tag color="warning">返工 {row.reopen_count} 次</Tag>}
              </div>
              <h2>
                <Link to={`/order/detail/${row.id}`}>{row.title}</Link>
              </h2>
              <p>{row.place}</p>
              {row.appoint_time && <p>预约 {row.appoint_time.slice(0, 16)}</p>}
              <div className="kit-row">
                {buttons({ ...shown }, shownActions)}
                {row.stage >= orderStage.taken && <CallUp id={row.id} name={row.reporter_name} />}
              </div>
            </article>
          );
        })}
      </div>
      {drawer}
    </section>
  );
}

/** Calls the reporter. */
function CallUp({ id, name }: { id: number; name: string }) {
  const { data } = useCall(orders.get, { params: { id } }, { staleTime: 300_000 });
  const phone = data?.value.phone;
  if (!phone || phone.startsWith('尾号')) return null;
  return (
    <Button href={`tel:${phone.replace(/[^\d+]/g, '')}`} icon={<PhoneOutlined />}>
      {name}
    </Button>
  );
}
