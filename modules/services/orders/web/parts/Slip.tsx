import { useEffect, useRef } from 'react';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { orderLevel, orderStage, placeOf } from '../../contract/codes.ts';
import { orders } from '../../contract/orders.ts';
import type { OrderDetail } from '../../contract/shapes.ts';
import './orders.css';

/** 维修单: an order on one sheet, with a code that opens it and room for two signatures. Printed once its code is loaded. */
export function Slip({ row, onPrinted }: { row: OrderDetail; onPrinted: () => void }) {
  const { data, error } = useCall(orders.slip, { params: { id: row.id } });
  const code = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!data && !error) return;
    void (code.current?.decode() ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        window.print();
        onPrinted();
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- printed once, when the code has come or will not come
  }, [data, error]);
  const facts = [
    ['单号', row.sn],
    ['状态', orderStage.label(row.stage)],
    ['报修人', `${row.reporter_name} ${row.phone}`],
    ['报修时间', row.gmt_created.slice(0, 16)],
    ['地点', `${placeOf({ ...row, place: '' })} ${row.place}`.trim()],
    ['类别', `${row.category_name}（${orderLevel.label(row.level)}）`],
    ['办理人', `${row.handler_name} ${row.team_name}`.trim()],
    ['预约', row.appoint_time?.slice(0, 16) ?? ''],
    ['故障情况', row.description],
    ['处理结果', row.result],
  ];
  return (
    <section className="order-sheet" aria-label="维修单">
      <header>
        <div>
          <h1>维修单</h1>
          <div>{row.title}</div>
        </div>
        {data && <img ref={code} src={data.image} alt="订单二维码" />}
      </header>
      <table>
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th>{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th>材料</th>
            <th>规格</th>
            <th>数量</th>
            <th>单价</th>
            <th>金额</th>
          </tr>
        </thead>
        <tbody>
          {row.materials.map((line) => (
            <tr key={line.id}>
              <td>{line.name}</td>
              <td>{line.spec}</td>
              <td className="kit-figures">{line.qty}</td>
              <td className="kit-figures">{moneyText(line.price)}</td>
              <td className="kit-figures">{moneyText(line.amount)}</td>
            </tr>
          ))}
          <tr>
            <th>合计</th>
            <td colSpan={4}>
              材料 {moneyText(row.materials_sum)} 元，费用 {moneyText(row.fee)} 元
            </td>
          </tr>
        </tbody>
      </table>
      <footer>
        <span>维修人员签字：____________　　日期：________</span>
        <span>报修人签字：____________　　日期：________</span>
      </footer>
    </section>
  );
}
