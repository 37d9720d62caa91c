import { App, Segmented } from 'antd';
import { Link, useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { act, chosen, useActs, type Chosen } from '#kernel/web/kit/press/acts.tsx';
import { useWaits } from '#modules/platform/waits/widgets.tsx';
import { orderStage } from '../contract/codes.ts';
import { orders } from '../contract/orders.ts';
import type { OrderRow } from '../contract/shapes.ts';
import { boardStages, Level, Light, orderColumns, orderFilters } from './parts/columns.tsx';
import { HandlerSelect, orderFields, useActions, useCategories } from './parts/actions.tsx';

const tabs = { duty: '待办', intake: '访客报修', all: '全部', worked: '已办', cc: '抄送' };

/** 订单办理: the desk's list, and its board by stage. */
export default function OrdersPage() {
  const [asked, ask] = useSearchParams();
  const { data: count, isPending } = useCall(orders.count, {}, { meta: live });
  const { data: waits } = useWaits();
  const intakes = waits?.value.find((kind) => kind.page === 'order/list')?.count ?? 0;
  const board = asked.get('view') === 'board';
  const { buttons, drawer, open } = useActions();
  const categories = useCategories();
  const { message } = App.useApp();
  const many = useActs<Chosen>(() => 'order:assign:many', {
    assign: act({
      label: ({ ids }) => `派单 ${ids.length} 张`,
      title: ({ ids }) => `派单：${ids.length} 张订单`,
      call: orders.assignMany,
      look: ({ ids }) => ({ disabled: ids.length === 0 }),
      fields: ({ ids }) =>
        orderFields(orders.assignMany, ['handlers', 'words'], {
          handlers: { render: (control) => <HandlerSelect control={control} id={ids[0]!} /> },
        }),
      also: ({ ids }) => ({ ids }),
      submit: '派单',
      onDone: ({ value }, { clear }) => {
        for (const one of value) if (!one.ok) void message.error(one.msg);
        clear();
      },
    }),
  });
  const view = (
    <Segmented
      aria-label="显示方式"
      options={[
        { value: 'list', label: '列表' },
        { value: 'board', label: '看板' },
      ]}
      value={board ? 'board' : 'list'}
      onChange={(next) => ask(next === 'board' ? { view: 'board' } : {})}
    />
  );
  if (board)
    return (
      <section className="kit-list" aria-label="订单办理">
        <header className="kit-row kit-list-head">
          <div>
            <h1>订单办理</h1>
            <p className="kit-muted">把待受理的卡片拖到“已派单”即可派单，也可用卡片上的按钮</p>
          </div>
          {view}
        </header>
        <div className="order-board" role="list" aria-label="看板">
          {boardStages.map((stage) => (
            <Column
              key={stage}
              stage={stage}
              count={count?.by_stage[stage] ?? 0}
              buttons={buttons}
              onDropped={(row) => open('assign', { ...row })}
            />
          ))}
        </div>
        {drawer}
      </section>
    );
  return (
    <>
      <ListPage<OrderRow>
        card={['stage', 'due_at', 'place']}
        name="order/list"
        title="订单办理"
        purpose="受理、派单并跟踪到确认"
        call={orders.list}
        columns={orderColumns}
        filters={orderFilters(categories)}
        categories={Object.entries(tabs)
          .filter(([value]) => value !== 'intake' || intakes > 0 || asked.get('category') === 'intake')
          .map(([value, label]) => ({
            value,
            label,
            ...(value === 'duty' ? { count: isPending ? null : count?.duty } : {}),
            ...(value === 'intake' ? { count: intakes } : {}),
          }))}
        primary={view}
        to={(row) => `/order/detail/${row.id}`}
        rowActions={(row) => (
          <div className="kit-row">{buttons({ ...row }, ['accept', 'assign', 'take'], 'small')}</div>
        )}
        batch={(rows, clear) => {
          const open = rows.filter((row) => row.actions.includes('assign'));
          return many.buttons(chosen(open, clear), ['assign']);
        }}
        acts={(row) => ['accept', 'assign', 'take'].some((one) => row.actions.includes(one))}
        empty={{ why: '还没有订单，报修或代为登记后出现在这里' }}
      />
      {many.drawer}
      {drawer}
    </>
  );
}

interface ColumnProps {
  stage: number;
  count: number;
  buttons: ReturnType<typeof useActions>['buttons'];
  onDropped: (row: OrderRow) => void;
}
/** One stage with its oldest orders; dropping one on 已派单 opens the sending. */
function Column({ stage, count, buttons, onDropped }: ColumnProps) {
  const { data } = useCall(
    orders.list,
    { query: { stage, per_page: 30, order_by: 'due_at', desc: false } },
    { meta: live },
  );
  return (
    <section
      className="kit-panel order-column"
      role="listitem"
      aria-label={orderStage.label(stage)}
      onDragOver={(event) => stage === orderStage.assigned && event.preventDefault()}
      onDrop={(event) => {
        const row = JSON.parse(event.dataTransfer.getData('text/plain') || 'null') as OrderRow | null;
        if (row?.actions.includes('assign')) onDropped(row);
      }}
    >
      <h2>
        {orderStage.label(stage)} <span className="kit-muted">{count}</span>
      </h2>
      {data?.value.map((row) => (
        <article
          key={row.id}
          className="order-card"
          draggable={row.actions.includes('assign')}
          onDragStart={(event) => event.dataTransfer.setData('text/plain', JSON.stringify(row))}
        >
          <Link to={`/order/detail/${row.id}`}>{row.title}</Link>
          <div className="kit-muted">
            {row.place} · {row.handler_name || row.reporter_name}
          </div>
          <div className="kit-row">
            <Level level={row.level} />
            <Light row={row} />
            {buttons({ ...row }, ['accept', 'assign'], 'small')}
          </div>
        </article>
      ))}
      {data && data.total > data.value.length && (
        <span className="kit-muted">还有 {data.total - data.value.length} 张，见列表</span>
      )}
    </section>
  );
}
