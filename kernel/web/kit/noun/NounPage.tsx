import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Calls, ReplyOf } from '#kernel/contract/call.ts';
import { CallButton, WithCode } from '../press/CallButton.tsx';
import { EditDrawer } from '../form/EditDrawer.tsx';
import { defaultsOf, fieldsOf, type Instead } from '../form/fields.ts';
import { ruleOf, shapeOf } from '../form/rules.ts';
import type { ListFilter } from '../list/bar/FilterBar.tsx';
import { namedFilters } from '../list/bar/filters.ts';
import { fieldColumn, rowOf, type FieldColumn } from '../list/columns/listColumns.ts';
import type { ListCall } from '../list/list-call.ts';
import { ListPage, type ListPageProps } from '../list/ListPage.tsx';

interface NounRow {
  id: number;
  version: number;
  actions: string[];
}
type NounCalls = Record<'list' | 'add' | 'change' | 'remove', Calls[string]>;
type RowOf<C extends NounCalls> = ReplyOf<C['list']> extends { value: (infer R extends NounRow)[] } ? R : never;
/** A column given by its key alone has the field's title, and shows the labels of its values. */
type NounColumn<R> = (keyof R & string) | OwnColumn<R>;
type OwnColumn<R> = FieldColumn<R> & { key: keyof R & string };

export interface NounPageProps<C extends NounCalls, R extends NounRow = RowOf<C>> {
  /** From `nounCalls`. */
  calls: C;
  /** Page component, and the key of columns, views and drafts. */
  name: string;
  title: string;
  noun: string;
  purpose?: string;
  /** The first column is the row's title. */
  columns: readonly [NounColumn<R>, ...NounColumn<R>[]];
  /** Keys of the columns that a phone's card shows under the title. */
  card: readonly (keyof R & string)[];
  filters?: readonly ListFilter[];
  /** Changes to the fields of the call's body. */
  instead?: Instead;
  /** Initial values of a new row besides the defaults of the body. */
  initial?: Record<string, unknown>;
  valuesOf?: (row: R) => object;
  titleOf?: (row: R) => string;
  /** The consequence of removing a row for what uses it. */
  removal: string;
  empty: string;
  /** False hides 新增, because all possible rows exist. */
  another?: boolean;
  /** Shown beside 新增. */
  primary?: ReactNode;
  /** Shown beside 删除. */
  rowActions?: (row: R) => ReactNode;
  actionsWidth?: number;
  onAdded?: (reply: ReplyOf<C['add']>) => void;
  invalidates?: readonly string[];
  /** Nothing is kept in the browser. */
  secret?: boolean;
  /** Values sent with a new row that no field shows. */
  also?: Record<string, unknown>;
  /** Options of the list itself; with `to` a row links to its page, and a button beside it opens the form. */
  list?: Pick<ListPageProps<R>, 'to' | 'query' | 'batch' | 'tabs' | 'categories'>;
}

/** The page of a plain noun: its list, one form to add and to edit, and deleting. */
export function NounPage<C extends NounCalls>(props: NounPageProps<C>) {
  type R = RowOf<C>;
  const { calls, name, title, noun, purpose, columns, filters, instead, initial, valuesOf, removal, empty } = props;
  const { titleOf = (row: R) => String((row as { name?: unknown }).name), rowActions } = props;
  const [open, setOpen] = useState<R | 'new' | null>(null);
  const added = shapeOf(calls.add.body);
  const { version: _version, ...changed } = shapeOf(calls.change.body);
  const said = { ...shapeOf(rowOf(calls.list as ListCall<R>)), ...added };
  const order = shapeOf(calls.list.query)['order_by'];
  const sorts = (order && ruleOf(order).choices) ?? [];
  return (
    <>
      <ListPage<R>
        name={name}
        title={title}
        purpose={purpose}
        call={calls.list as ListCall<R>}
        numbered
        columns={columns.map((column, at) => {
          const { key, ...own }: OwnColumn<R> = typeof column === 'string' ? { key: column } : column;
          return fieldColumn<R>(key, said[key], { sort: sorts.includes(key), ...own, ...(at === 0 && { main: true }) });
        })}
        card={props.card}
        {...(filters && { filters: namedFilters(calls.list as ListCall<R>, filters, said) })}
        primary={
          <>
            {props.primary}
            {props.another !== false && (
              <WithCode code={calls.add.access.kind === 'grant' ? calls.add.access.code : 'Create'}>
                <Button type="primary" onClick={() => setOpen('new')}>
                  新增{noun}
                </Button>
              </WithCode>
            )}
          </>
        }
        {...props.list}
        onOpen={(row) => row.actions.includes('update') && setOpen(row)}
        actionsWidth={props.actionsWidth}
        rowActions={(row) => (
          <div className="kit-row">
            {rowActions?.(row)}
            {props.list?.to && row.actions.includes('update') && (
              <Button size="small" onClick={() => setOpen(row)}>
                编辑
              </Button>
            )}
            <CallButton<Calls[string]>
              call={calls.remove}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('delete')}
              danger
              size="small"
              confirm={{ title: `删除${noun}“${titleOf(row)}”`, content: removal }}
              invalidates={props.invalidates}
            >
              删除
            </CallButton>
          </div>
        )}
        empty={{ why: empty }}
      />
      <EditDrawer<R, C['add']>
        noun={noun}
        name={name}
        open={open}
        onClose={() => setOpen(null)}
        titleOf={titleOf}
        add={calls.add}
        change={calls.change}
        initial={{ ...defaultsOf(added), ...initial }}
        also={props.also}
        valuesOf={valuesOf}
        onAdded={props.onAdded}
        invalidates={props.invalidates}
        secret={props.secret}
        fields={(row) => fieldsOf(row ? changed : added, instead)}
      />
    </>
  );
}
