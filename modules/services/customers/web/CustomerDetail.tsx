import { Descriptions, Table, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { momentText } from '#kernel/contract/moment.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { metaOf } from '#kernel/contract/titles.ts';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { OnPage, useCodesAt } from '#kernel/web/kit/permission.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { customerStatus, visitWay } from '../contract/codes.ts';
import { customerInput, customers, type Customer } from '../contract/customers.ts';
import { visits } from '../contract/visits.ts';
import ContactPage from './ContactPage.tsx';
import { drawn, State } from './inputs.tsx';
import ProjectPage from './ProjectPage.tsx';

interface Props {
  /** Tabs of other modules for a customer, shown to those who may read the page `on`. */
  tabs?: (row: Customer) => { key: string; label: string; on: string; children: ReactNode }[];
}

const acts: Acts<Customer> = {
  update: {
    label: '编辑',
    title: (row) => `编辑客户“${row.name}”`,
    call: customers.change,
    look: { type: 'primary' },
    also: ({ version }) => ({ version }),
    initial: (row) => row,
    fields: fieldsOf(customerInput, drawn.customer),
    submit: '保存客户',
  },
  delete: {
    label: '删除',
    title: (row) => `删除客户“${row.name}”`,
    call: customers.remove,
    danger: true,
    confirm: '有项目、联系人或合同的客户不能删除',
    next: () => '/customer/list',
  },
};

/** One customer with its related records; each tab is shown to those who may read it. */
export default function CustomerDetail({ tabs = () => [] }: Props) {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const codesAt = useCodesAt();
  const { buttons, drawer } = useActs(() => `customer/list:${id}`, acts);
  const { data, error, isPending, refetch } = useCall(customers.get, { params: { id } });
  const row = data?.value;
  /** A tab that is also a separate page, for those who may read that. */
  const onPage = (key: string, label: string, page: ReactNode, path = `/customer/${key}`) =>
    codesAt(path).includes('Retrieve') ? [{ key, label, children: <OnPage path={path}>{page}</OnPage> }] : [];
  return (
    <DetailPage
      title={row?.name ?? '客户详情'}
      sn={row?.code ?? ''}
      status={row && <State>{customerStatus.label(row.status)}</State>}
      holder={row && `${row.owner_alias} · ${row.dept_name}`}
      loading={isPending}
      error={error}
      retry={() => void refetch()}
      actions={row && buttons(row, row.actions)}
    >
      {row && (
        <div className="kit-panel">
          <Tabs
            destroyOnHidden
            onChange={() => void navigate({ search: '' }, { replace: true })}
            items={[
              { key: 'facts', label: '概况', children: <Facts row={row} /> },
              ...onPage('project', `项目 ${row.project_count}`, <ProjectPage customer={id} />),
              ...onPage('contact', `联系人 ${row.contact_count}`, <ContactPage customer={id} />),
              { key: 'visits', label: `跟进 ${row.visit_count}`, children: <Visits row={row} /> },
              ...(row.contracts
                ? [{ key: 'contracts', label: `合同 ${row.contracts.length}`, children: <Contracts row={row} /> }]
                : []),
              ...tabs(row).flatMap((one) => onPage(one.key, one.label, one.children, one.on)),
            ]}
          />
        </div>
      )}
      {drawer}
    </DetailPage>
  );
}

/** The filled fields of its form. */
function Facts({ row }: { row: Customer }) {
  const said = Object.entries(customerInput).flatMap(([key, schema]) => {
    const { title, options } = metaOf(schema);
    const value = row[key as keyof typeof customerInput] as unknown;
    const label = options?.find((option) => option.value === value)?.label;
    const text =
      key === 'owner' ? row.owner_alias : key === 'dept_id' ? row.dept_name : (label ?? [value].flat().join('、'));
    return text === '' ? [] : [{ key, label: title, children: text }];
  });
  return (
    <Descriptions
      size="small"
      column={useNarrow() ? 1 : 2}
      items={[
        ...said,
        ...factsOf(customers.get.reply.shape.value, {
          last_contact_at: row.last_contact_at ?? '还没有跟进记录',
          follow_at: row.follow_at ?? '不提醒',
          contract_amount: row.contract_amount !== null && moneyText(row.contract_amount),
        }),
      ]}
    />
  );
}

/** 跟进: visits with their dates; the author may correct one within a day. */
function Visits({ row: { id } }: { row: Customer }) {
  return (
    <OnPage path="/customer/list">
      <NounPage
        card={['way', 'content', 'creator_alias']}
        calls={visits}
        name="customer/visit"
        title="跟进"
        noun="跟进记录"
        also={{ customer_id: id }}
        initial={{ customer_id: id, visited_at: momentText(new Date()).slice(0, 16).replace(' ', 'T') }}
        list={{ query: { customer_id: id } }}
        titleOf={(row) => row.visited_at.slice(0, 16)}
        columns={[
          { key: 'visited_at', width: 150, sort: true, render: (row) => row.visited_at.slice(0, 16) },
          { key: 'way', width: 80, render: (row) => visitWay.label(row.way) },
          { key: 'content', whole: true },
          { key: 'contact_name', width: 100, render: (row) => row.contact_name || '—' },
          { key: 'creator_alias', width: 90 },
          { key: 'next_date', width: 110, render: (row) => row.next_date ?? '—' },
        ]}
        instead={{ ...drawn.visit, customer_id: null }}
        valuesOf={(row) => ({ ...row, visited_at: row.visited_at.slice(0, 16).replace(' ', 'T') })}
        removal="登记后 24 小时内可以删除自己的记录"
        empty="还没有跟进记录，联系之后记一条"
      />
    </OnPage>
  );
}

const contractShape = customers.get.reply.shape.value.shape.contracts.unwrap().element;

/** Contracts with the same credit code, else the same name, that I may read. */
function Contracts({ row }: { row: Customer }) {
  return (
    <Table
      size="small"
      rowKey="id"
      scroll={{ x: 'max-content' }}
      dataSource={row.contracts ?? []}
      locale={{ emptyText: '没有与该客户的合同' }}
      pagination={paged(20)}
      columns={tableColumns(contractShape, {
        name: { render: (one) => <Link to={`/contract/detail/${one.id}`}>{one.name}</Link> },
        contract_no: {},
        stage_name: {},
        amount: {},
        sign_date: {},
      })}
    />
  );
}
