import { Alert, Button, Input, Select, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { keepPreviousData } from '@tanstack/react-query';
import { useCall, useSend } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Instead } from '#kernel/web/kit/form/fields.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { contacts, type ContactRow } from '../contract/contacts.ts';
import { customers } from '../contract/customers.ts';
import { projects } from '../contract/projects.ts';

export const chosen = (key: string, names: Readonly<Record<number, string>>, often = true): ListFilter => ({
  key,
  kind: 'select',
  often,
  options: Object.entries(names).map(([value, label]) => ({ value, label })),
});
export const personFilter = (key: string): ListFilter => ({
  key,
  kind: 'own',
  render: ({ value, set, label }) => (
    <span className="customer-filter">
      <PersonPicker
        by="id"
        placeholder={label}
        aria-label={label}
        value={Number(value) || null}
        onChange={(id) => set(id ? String(id) : '')}
      />
    </span>
  ),
});

const person = (multiple: boolean): Instead[string] => ({
  render: (control) => <PersonPicker by="id" {...(multiple ? { multiple } : {})} {...(control as object)} />,
});
/** Fields of customers, projects and contacts that need their own input. */
export const drawn = {
  customer: {
    owner: person(false),
    dept_id: { render: (control) => <DeptPicker {...(control as object)} /> },
    tags: {
      render: (control) => (
        <Select className="kit-wide" mode="tags" tokenSeparators={['、', ',', '，', ' ']} {...(control as object)} />
      ),
    },
    name: { render: (control, values) => <NameInput control={control} code={String(values['credit_code'] ?? '')} /> },
  },
  project: {
    customer_id: { render: (control) => <CustomerPicker control={control} /> },
    manager: person(false),
    members: person(true),
    alert_users: person(true),
    alert_contacts: {
      render: (control, values) => <OfCustomer control={control} of={contacts.list} values={values} multiple />,
    },
  },
  contact: {
    customer_id: { render: (control) => <CustomerPicker control={control} /> },
    project_id: { render: (control, values) => <OfCustomer control={control} of={projects.list} values={values} /> },
  },
  visit: {
    contact_id: { render: (control, values) => <OfCustomer control={control} of={contacts.list} values={values} /> },
    visited_at: { kind: 'datetime-local' },
    next_date: { kind: 'date' },
  },
} satisfies Record<string, Instead>;

/** The props of a list limited to one customer. */
export const keptTo = (customer_id: number | undefined) =>
  customer_id
    ? { also: { customer_id }, initial: { customer_id }, query: { customer_id }, instead: { customer_id: null } }
    : { also: {}, initial: {}, query: {}, instead: {} };

/** Picks one of the customers that the user sees, by name or code. */
export function CustomerPicker({ control }: { control: FieldControl }) {
  const searching = useSearching();
  const asked = { query: { search_value: searching.search } };
  const { data = [], isFetching } = useCall(customers.simple, asked, { placeholderData: keepPreviousData });
  return (
    <SearchSelect
      {...(control as object)}
      searching={searching}
      loading={isFetching}
      placeholder="输入名称、拼音或信用代码"
      hint="可换个关键字再试"
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

interface OfProps {
  control: FieldControl;
  of: typeof contacts.list | typeof projects.list;
  /** The values of the form, which name its customer. */
  values: Record<string, unknown>;
  multiple?: boolean;
}
/** Picks records of the form's customer. */
function OfCustomer({ control, of, values, multiple }: OfProps) {
  const customer_id = Number(values['customer_id']);
  const asked = { query: { customer_id, per_page: 100 } };
  const { data } = useCall(of, asked, { enabled: customer_id > 0 });
  const rows: readonly { id: number; name: string }[] = data?.value ?? [];
  return (
    <Select
      {...(control as object)}
      className="kit-wide"
      allowClear
      {...(multiple ? { mode: 'multiple' as const } : {})}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={customer_id > 0 ? '请选择' : '请先选择客户'}
      options={rows.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** The name of a customer; similar ones are shown while typing, to avoid duplicates. */
function NameInput({ control: { id, value, onChange, ...rest }, code }: { control: FieldControl; code: string }) {
  const searching = useSearching();
  const asked = { query: { name: searching.search, credit_code: code.length === 18 ? code : '' } };
  const { data = [] } = useCall(customers.similar, asked, { enabled: searching.search.length > 1, quiet: true });
  return (
    <>
      <Input
        {...rest}
        id={id}
        value={value as string}
        onChange={(event) => {
          onChange?.(event.target.value);
          searching.setText(event.target.value);
        }}
      />
      {data.length > 0 && (
        <Alert
          type={data.some((one) => one.same) ? 'error' : 'warning'}
          title={data.some((one) => one.same) ? '已有同一客户' : '已有名称相近的客户'}
          description={data.map((one) => (
            <div key={one.name}>
              {one.id ? <Link to={`/customer/detail/${one.id}`}>{one.name}</Link> : one.name}{' '}
              <span className="kit-muted">{one.dept_name}</span>
            </div>
          ))}
        />
      )}
    </>
  );
}

/** A mobile number, masked until somebody reveals it, which is logged. */
export function Mobile({ row }: { row: Pick<ContactRow, 'id' | 'mobile_masked' | 'actions'> }) {
  const [whole, setWhole] = useState('');
  const asking = useSend(contacts.phone, { invalidates: [], onSuccess: ({ mobile }) => setWhole(mobile) });
  if (whole) return <a href={`tel:${whole}`}>{whole}</a>;
  if (!row.mobile_masked) return <>—</>;
  return (
    <span className="kit-figures">
      {row.mobile_masked}
      {row.actions.includes('phone') && (
        <Button
          type="link"
          size="small"
          loading={asking.isPending}
          onClick={() => asking.mutate({ params: { id: row.id } })}
        >
          查看
        </Button>
      )}
    </span>
  );
}

const colours: Record<string, string> = {
  合作中: 'success',
  进行中: 'processing',
  运维: 'success',
  潜在: 'default',
  暂停: 'warning',
};
export const State = ({ children }: { children: string }) => (
  <Tag color={colours[children] ?? 'default'}>{children}</Tag>
);
