import { Alert, Button } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { Scanner } from '#kernel/web/kit/camera.tsx';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { Pager } from '#kernel/web/kit/list/Pager.tsx';
import { orderLevel, orderSource, orderStage } from '../contract/codes.ts';
import { orders } from '../contract/orders.ts';
import { labels } from '../contract/visitors.ts';
import { Level, StageTag, Stars, Way } from './parts/columns.tsx';
import { orderFields, useActions } from './parts/actions.tsx';

const asked = [
  'photos',
  'category_id',
  'title',
  'description',
  'building',
  'room',
  'place',
  'phone',
  'level',
  'appoint_time',
];
const codeOf = (text: string) =>
  /label=([a-z2-7]{16})/i.exec(text)?.[1] ?? (/^[a-z2-7]{16}$/i.test(text) ? text : null);

/** 我的工单: my reports and their progress; reporting, also from the label on a door. */
export default function MyOrders() {
  usePageTitle('我的工单');
  const [search, ask] = useSearchParams();
  const label = search.get('label');
  const [reporting, report] = useState(label !== null);
  const asks = reporting || search.has('new');
  const [scanning, scan] = useState(false);
  const [page, turn] = useState(1);
  const { data } = useCall(orders.list, { query: { category: 'owner', per_page: 20, page } }, { meta: live });
  const { buttons, drawer } = useActions();
  const done = () => {
    report(false);
    ask({});
  };
  if (asks) return <Report label={label} onDone={done} />;
  return (
    <section className="kit-list" aria-label="我的工单">
      <header className="kit-row kit-list-head">
        <h1>我的工单</h1>
        <Button type="primary" onClick={() => report(true)}>
          我要报修
        </Button>
        <Button onClick={() => scan(!scanning)}>扫标签</Button>
      </header>
      {scanning && (
        <Scanner
          onCode={(text: string) => {
            const code = codeOf(text);
            if (!code) return;
            scan(false);
            ask({ label: code });
            report(true);
          }}
        />
      )}
      {data?.value.length === 0 && <EmptyState why="还没有报修过，遇到故障可点“我要报修”" />}
      <div className="order-cards">
        {data?.value.map((row) => (
          <article key={row.id} className="kit-panel" aria-label={row.title}>
            <div className="kit-row">
              <StageTag stage={row.stage} />
              <Level level={row.level} />
              <span className="kit-muted">{row.sn}</span>
            </div>
            <h2>
              <Link to={`/order/detail/${row.id}`}>{row.title}</Link>
            </h2>
            <p className="kit-muted">
              {row.place}
              {row.handler_name && `，${row.handler_name}办理`}
              {row.appoint_time && `，预约 ${shortDate(row.appoint_time)}`}
              {row.stage === orderStage.hung && row.hang_until && `，预计 ${shortDate(row.hang_until)} 恢复`}
            </p>
            {row.stage > orderStage.draft && row.stage < orderStage.closed && <Way stage={row.stage} />}
            <div className="kit-row">
              {row.score !== null && <Stars score={row.score} />}
              {buttons({ ...row }, ['confirm', 'rework', 'comment', 'withdraw'])}
            </div>
          </article>
        ))}
      </div>
      {data && <Pager current={page} pageSize={20} total={data.total} onChange={turn} />}
      {drawer}
    </section>
  );
}

function Report({ label, onDone }: { label: string | null; onDone: () => void }) {
  const { data, error } = useCall(
    labels.label,
    { params: { code: label ?? '' } },
    { enabled: label !== null, quiet: true },
  );
  const place = data?.value;
  if (label !== null && !place && !error) return null;
  const beginning = place && {
    building: place.building,
    room: place.room,
    place: place.name,
    ...(place.category_id ? { category_id: place.category_id, title: `${place.name}故障` } : {}),
  };
  return (
    <section className="kit-list" aria-label="报修">
      <header className="kit-row kit-list-head">
        <h1>报修</h1>
      </header>
      {error && <Alert type="warning" showIcon title="标签无法识别，可能不是本单位的标签；请直接填写地点" />}
      {place && (
        <Alert
          type="info"
          showIcon
          title={`位置：${[place.building, place.floor, place.room, place.name].filter(Boolean).join(' ')}`}
        />
      )}
      <CallForm
        name="order:report"
        call={orders.create}
        fields={orderFields(orders.create, asked)}
        initial={{ level: orderLevel.usual, ...beginning }}
        also={{
          ...(place ? { asset_id: place.asset_id, floor: place.floor } : {}),
          source: window.innerWidth < 600 ? orderSource.phone : orderSource.web,
        }}
        submit="提交报修"
        beside={(values) => <Similar values={values} />}
        onDone={onDone}
        onCancel={onDone}
      />
    </section>
  );
}

/** Existing reports of the place. */
export function Similar({ values }: { values: Record<string, unknown> }) {
  const of = (key: string) => (typeof values[key] === 'string' ? values[key] : '');
  const [building, room] = [of('building'), of('room')];
  const { data } = useCall(orders.similar, { query: { building, room } }, { enabled: building !== '' && room !== '' });
  if (!data?.count) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={`这里已有 ${data.count} 张未完的订单，请勿重复报修`}
      description={data.value.map((row) => (
        <div key={row.id}>
          <Link to={`/order/detail/${row.id}`}>
            {row.sn} {row.title}
          </Link>
        </div>
      ))}
    />
  );
}
