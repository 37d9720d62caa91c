import { Tag } from 'antd';
import { Link } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import type { Instead } from '#kernel/web/kit/form/fields.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { documentExchange, exchangeDirection, type ExchangeRow, exchangeState } from '../contract/exchange/exchange.ts';
import { DocumentPicker } from './find/DocumentPicker.tsx';

const today = () => dayOf(new Date());
const acts: Acts<ExchangeRow> = {
  sign: { label: '登记签收', call: documentExchange.sign, initial: () => ({ signed_on: today() }) },
  return: { label: '登记退回', call: documentExchange.giveBack, initial: () => ({ returned_on: today() }) },
};
const colours = { 1: 'warning', 2: 'success', 3: 'error' } as const;
const instead: Instead = {
  document_id: { render: (control) => <DocumentPicker control={control} /> },
  exchanged_on: { kind: 'date' },
};
const optionsOf = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** 公文交换登记: papers sent, received and returned. */
export default function ExchangePage() {
  const { buttons, drawer } = useActs('document/exchange', acts);
  return (
    <>
      <NounPage
        card={['state', 'direction', 'exchanged_on']}
        calls={documentExchange}
        name="document/exchange"
        title="公文交换登记"
        noun="交换登记"
        purpose="与外单位交换的文件一件一笔；签收或退回之后不再修改"
        columns={[
          { key: 'title', width: 220, whole: true, note: (row) => <Document row={row} /> },
          { key: 'direction', width: 76 },
          { key: 'exchanged_on', width: 110 },
          { key: 'org', width: 150, whole: true },
          { key: 'state', width: 190, whole: true, render: (row) => <Became row={row} /> },
          { key: 'number', width: 150 },
          { key: 'copies', number: true, width: 76 },
          { key: 'way', hidden: true },
          { key: 'creator_alias', hidden: true },
          { key: 'remark', hidden: true },
        ]}
        filters={[
          { key: 'direction', kind: 'select', often: true, options: optionsOf(exchangeDirection.names) },
          { key: 'state', kind: 'select', often: true, options: optionsOf(exchangeState.names) },
        ]}
        titleOf={(row) => row.title}
        initial={{ direction: exchangeDirection.out, exchanged_on: today() }}
        instead={instead}
        rowActions={(row) => buttons(row, row.actions, { size: 'small' })}
        actionsWidth={250}
        removal="还没有签收的才能删除；操作日志里留有记录。"
        empty="还没有与外单位交换的登记"
      />
      {drawer}
    </>
  );
}

const Document = ({ row }: { row: ExchangeRow }) =>
  row.document_id !== null && <Link to={`/document/detail/${row.document_id}`}>查看公文</Link>;

function Became({ row }: { row: ExchangeRow }) {
  const told =
    row.state === exchangeState.returned
      ? `${row.returned_on} ${row.return_reason}`
      : row.state === exchangeState.signed
        ? `${row.signed_by} ${row.signed_on}`
        : '';
  return (
    <>
      <Tag color={colours[row.state]}>{exchangeState.label(row.state)}</Tag>
      {told}
    </>
  );
}
