import { PhoneOutlined } from '@ant-design/icons';
import { Alert, Button, Descriptions, Table, Timeline } from 'antd';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { RecordPage } from '#modules/workflow/records/widgets.tsx';
import {
  type EventKind,
  eventKinds,
  hangKind,
  orderLevel,
  orderSource,
  orderStage,
  orderType,
  placeOf,
  rating,
} from '../contract/codes.ts';
import { orders } from '../contract/orders.ts';
import { LedgerRow, OrderDetail } from '../contract/shapes.ts';
import { Light, StageTag, Stars, Way } from './parts/columns.tsx';
import { orderFields, useActions } from './parts/actions.tsx';
import { Slip } from './parts/Slip.tsx';

const editable = [
  'title',
  'category_id',
  'building',
  'floor',
  'room',
  'place',
  'description',
  'level',
  'appoint_time',
  'phone',
];

const own = ['edit', 'delete'];

/** 订单详情: the fault, its history and materials, and the open actions; people asked by the ticket alone answer there. */
export default function OrderPage() {
  return (
    <RecordPage
      call={orders.get}
      of={(reply) => reply.value}
      module="orders"
      list="/order/list"
      head={(row) => ({
        title: row.title,
        sn: row.sn,
        status: (
          <>
            <StageTag stage={row.stage} />
            <Light row={row} />
          </>
        ),
        holder: [
          row.handlers.length > 0 && `等待 ${row.handlers.map((one) => one.alias).join('、')}`,
          `${row.reporter_name} 报修于 ${row.gmt_created.slice(0, 16)}`,
        ]
          .filter(Boolean)
          .join(' · '),
      })}
      offers={(row) => row.actions.every((action) => own.includes(action))}
      actions={(row) => <Actions row={row} />}
      side={(row) => <Story row={row} />}
    >
      {(row) => <Content row={row} />}
    </RecordPage>
  );
}

const acts: Acts<OrderDetail> = {
  edit: {
    label: '修改',
    title: (row) => `修改 ${row.sn}`,
    call: orders.act,
    fields: (row) => orderFields(orders.act, row.stage === orderStage.draft ? ['photos', ...editable] : editable),
    initial: (row) => ({ ...row, phone: undefined, appoint_time: row.appoint_time?.slice(0, 16).replace(' ', 'T') }),
    also: ({ version }) => ({ action: 'edit', version }),
    submit: '保存',
  },
  submit: {
    label: '提交',
    call: orders.act,
    offered: (row) => row.actions.includes('edit') && row.stage === orderStage.draft,
    code: null,
    look: { type: 'primary' },
    also: { action: 'edit', submit: true },
    atOnce: true,
  },
  delete: { label: '删除', call: orders.remove, danger: true, leaves: 'order/list' },
  print: { label: '打印维修单', offered: () => true, opens: (row, close) => <Printing row={row} onPrinted={close} /> },
};

function Actions({ row }: { row: OrderDetail }) {
  const acted = useActions();
  const own = useActs('order', acts);
  return (
    <>
      {acted.buttons({ ...row })}
      {own.buttons(row, row.actions)}
      <MatterButtons
        source={{ module: 'orders', id: row.id }}
        title={row.title}
        content={row.description}
        due={row.due_at?.slice(0, 16) ?? null}
      />
      {own.drawer}
      {acted.drawer}
    </>
  );
}

/** Prints the slip of an order, not its page. */
const Printing = (props: { row: OrderDetail; onPrinted: () => void }) =>
  createPortal(<Slip {...props} />, document.body);

const Photos = ({ title, files }: { title: string; files: readonly FileCard[] }) =>
  files.length === 0 ? null : (
    <section className="kit-panel" aria-label={title}>
      <h2>{title}</h2>
      <FileLinks files={files} />
    </section>
  );
/** Another order, as a link for those who may open it. */
const Other = ({ of, children }: { of: { id: number; seen: boolean }; children: ReactNode }) =>
  of.seen ? <Link to={`/order/detail/${of.id}`}>{children}</Link> : children;
const tel = (phone: string, label: string) =>
  phone.startsWith('尾号') ? (
    phone
  ) : (
    <Button type="link" size="small" icon={<PhoneOutlined />} href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
      {label}
    </Button>
  );

function Content({ row }: { row: OrderDetail }) {
  const facts = factsOf(OrderDetail, {
    place: placeOf({ ...row, place: '' }) + (row.place && ` ${row.place}`),
    category_name: `${row.category_name}（${orderType.label(row.type_id)}）`,
    level: orderLevel.label(row.level),
    contact: row.contact,
    phone: row.phone && tel(row.phone, row.phone),
    team_name: row.team_name,
    office_phone: row.office_phone && tel(row.office_phone, row.office_phone),
    handler_name: row.handler_name,
    appoint_time: row.appoint_time?.slice(0, 16),
    asset_name: row.asset_name,
    source: orderSource.label(row.source),
    response_due: row.response_due?.slice(0, 16),
    finish_due: (row.rework_due ?? row.finish_due)?.slice(0, 16),
    fee: row.fee > 0 && `${moneyText(row.fee)} 元${['', '，待审', '，已同意', '，未同意'][row.fee_state]}`,
    reopen_count: row.reopen_count > 0 && `${row.reopen_count} 次`,
    description: row.description,
    result: row.result,
  });
  return (
    <>
      {row.stage > orderStage.draft && row.stage < orderStage.closed && <Way stage={row.stage} />}
      {row.stage === orderStage.hung && (
        <Alert
          type="warning"
          showIcon
          title={`${hangKind.label(row.hang_kind)}，预计 ${row.hang_until?.slice(0, 16)} 恢复：${row.hang_reason}`}
        />
      )}
      {row.merged_into && (
        <Alert type="info" showIcon title={<Other of={row.merged_into}>已并入 {row.merged_into.sn}</Other>} />
      )}
      <section className="kit-panel" aria-label="订单">
        <Descriptions size="small" column={{ xs: 1, md: 2 }} items={facts} />
      </section>
      <Photos title="报修照片" files={row.photo_files} />
      <Photos title="完工照片" files={row.result_files} />
      {row.merged.map((one) => (
        <section key={one.id} className="kit-panel" aria-label={`并入的 ${one.sn}`}>
          <h2>
            并入：<Other of={one}>{one.sn}</Other> {one.title}
          </h2>
          <p>{one.description}</p>
          <FileLinks files={one.photo_files} />
        </section>
      ))}
      {row.materials.length > 0 && (
        <section className="kit-panel" aria-label="材料">
          <h2>材料（{moneyText(row.materials_sum)} 元）</h2>
          <Table
            size="small"
            rowKey="id"
            pagination={false}
            scroll={{ x: 'max-content' }}
            dataSource={row.materials}
            columns={[
              ...tableColumns(LedgerRow, { name: {}, spec: {}, qty: {}, price: {}, amount: {}, who: {} }),
              {
                key: 'actions',
                title: <span className="unseen">操作</span>,
                render: (_value, line) => (
                  <CallButton
                    call={orders.act}
                    code={null}
                    size="small"
                    allowed={row.actions.includes('material') && !line.is_void && line.storno_of === null}
                    asked={{ params: { id: row.id }, body: { action: 'material', storno: line.id } }}
                    confirm={{ title: `冲销“${line.name}”`, content: '登记不能删除，冲销会另记一行' }}
                  >
                    冲销
                  </CallButton>
                ),
              },
            ]}
          />
        </section>
      )}
      {row.comments.map((one) => (
        <section key={String(one.is_addition)} className="kit-panel" aria-label="评价">
          <h2>
            {one.is_addition ? '追加评价' : '评价'} <Stars score={one.score} /> {rating.label(one.score)}
          </h2>
          <p>{one.content || '没有文字评价'}</p>
        </section>
      ))}
      {row.auto_confirmed && row.comments.length === 0 && (
        <Alert type="info" title="报修人 7 天内没有答复，已自动确认" />
      )}
    </>
  );
}

function Story({ row }: { row: OrderDetail }) {
  return (
    <>
      <section className="kit-panel" aria-label="经过">
        <h2>经过</h2>
        <Timeline
          items={row.events.map((event) => ({
            key: event.id,
            content: (
              <>
                <b>{eventKinds[event.kind as EventKind]}</b> {event.who}{' '}
                <span className="kit-muted">{shortDate(event.at)}</span>
                {event.words && <div>{event.words}</div>}
              </>
            ),
          }))}
        />
      </section>
      {row.earlier.length > 0 && (
        <section className="kit-panel" aria-label="本房间的其他订单">
          <h2>本房间的其他订单</h2>
          {row.earlier.map((one) => (
            <div key={one.id}>
              <Link to={`/order/detail/${one.id}`}>{one.title}</Link>{' '}
              <span className="kit-muted">{one.gmt_created.slice(0, 10)}</span>
            </div>
          ))}
        </section>
      )}
    </>
  );
}
