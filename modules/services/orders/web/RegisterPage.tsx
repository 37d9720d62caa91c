import { App, Alert, Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { orderLevel } from '../contract/codes.ts';
import { orders } from '../contract/orders.ts';
import { orderFields } from './parts/actions.tsx';
import { Similar } from './MyOrders.tsx';

const asked = [
  'phone',
  'contact',
  'reporter',
  'category_id',
  'building',
  'room',
  'place',
  'title',
  'description',
  'level',
  'appoint_time',
];
type Values = Record<string, unknown>;

/** 代为登记: a report by telephone; the number finds the caller and the place of their last fault. */
export default function RegisterPage() {
  usePageTitle('代为登记');
  const { message } = App.useApp();
  const [times, again] = useState(0);
  const [known, take] = useState<Values>({});
  const [last, made] = useState<{ id: number; sn: string } | null>(null);
  return (
    <section className="kit-list" aria-label="代为登记">
      <header className="kit-row kit-list-head">
        <h1>代为登记</h1>
      </header>
      {last && (
        <Alert
          type="success"
          showIcon
          title={<Link to={`/order/detail/${last.id}`}>已登记 {last.sn}，可打开派单</Link>}
        />
      )}
      <CallForm
        key={times}
        name={`order:register:${times}`}
        call={orders.register}
        fields={orderFields(orders.register, asked)}
        initial={{ level: orderLevel.usual, ...known }}
        submit="登记"
        beside={(values) => (
          <div className="kit-stack">
            <Caller
              phone={String(values['phone'] ?? '')}
              onTake={(found) => {
                take({ ...values, ...found });
                again(times + 1);
              }}
            />
            <Similar values={values} />
          </div>
        )}
        onDone={(reply) => {
          made(reply);
          take({});
          again(times + 1);
          void message.success(`已登记 ${reply.sn}`);
        }}
      />
    </section>
  );
}

function Caller({ phone, onTake }: { phone: string; onTake: (found: Values) => void }) {
  const ready = /^[\d+ 转-]{7,25}$/.test(phone);
  const { data } = useCall(orders.similar, { query: { phone } }, { enabled: ready });
  const caller = data?.caller;
  if (!caller) return null;
  const { id, name, building, floor, room, place, category_id } = caller;
  return (
    <Alert
      type="info"
      showIcon
      title={`${name} 曾报修：${[building, floor, room, place].filter(Boolean).join(' ')}`}
      action={
        <Button onClick={() => onTake({ contact: name, reporter: id, building, room, place, category_id })}>
          填入
        </Button>
      }
    />
  );
}
