import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Calls } from '#kernel/contract/call.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { UndoButton } from '#kernel/web/kit/press/undo.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { ShortNames } from '#modules/workflow/tickets/widgets.tsx';
import { Approval } from '#modules/workflow/tickets/contract/approval.ts';

/** The open form: of a new record, or of the record whose row button named it. */
export interface Opened {
  kind: string;
  id: number;
}
interface Listed {
  id: number;
  title: string;
  actions: readonly string[];
}
export interface RecordListProps<Row extends Listed> extends Omit<
  ListPageProps<Row>,
  'primary' | 'to' | 'acts' | 'rowActions'
> {
  /** Address of a record, before its id. */
  page: string;
  /** Name of the button that opens the form of a new one. */
  write: string;
  form: (opened: Opened, close: () => void) => ReactNode;
  /** Buttons beside it that concern the list as a whole. */
  tools?: ReactNode;
  /** Buttons of a row that open a form, by the action that allows them. */
  opens?: Readonly<Record<string, string>>;
  remove?: { call: Calls[string]; what: string };
}

/** A list of records from which one also writes them; `new` in the address opens the form at once. */
export function RecordList<Row extends Listed>({
  page,
  write,
  form,
  opens = {},
  remove,
  tools,
  ...list
}: RecordListProps<Row>) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [address, setAddress] = useSearchParams();
  const shown = address.has('new') ? { kind: 'new', id: 0 } : opened;
  const close = () => {
    setOpened(null);
    if (!address.has('new')) return;
    const { new: _new, ...others } = Object.fromEntries(address);
    setAddress(others, { replace: true });
  };
  if (shown) return form(shown, close);
  return (
    <ListPage<Row>
      {...list}
      primary={
        <div className={tools ? 'kit-row kit-list-tools' : 'kit-row'}>
          {tools}
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpened({ kind: 'new', id: 0 })}>
              {write}
            </Button>
          </WithCode>
        </div>
      }
      to={(row) => `${page}/${row.id}`}
      acts={(row) => row.actions.some((action) => action in opens || (action === 'delete' && remove !== undefined))}
      rowActions={(row) => (
        <div className="kit-row">
          {Object.entries(opens).map(
            ([action, label]) =>
              row.actions.includes(action) && (
                <Button key={action} size="small" onClick={() => setOpened({ kind: action, id: row.id })}>
                  {label}
                </Button>
              ),
          )}
          {remove && (
            <UndoButton
              call={remove.call}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('delete')}
              danger
              size="small"
              says={`删除${remove.what}“${row.title}”`}
              leaving={{ list: list.name, ids: [row.id] }}
            >
              删除
            </UndoButton>
          )}
        </div>
      )}
    />
  );
}

/** Columns of every list of records: holder and since when, and state. */
export const approvalListColumns = <Row extends Omit<Approval, 'ticket_id'>>(): ListColumn<Row>[] =>
  listColumns(Approval.omit({ ticket_id: true }), {
    state_name: { whole: true, width: 116 },
    participant_info: {
      whole: true,
      render: ({ participant_info: { participant_alias: names } }) => (names ? <ShortNames names={names} /> : '—'),
      width: 96,
    },
    since: { hidden: true, width: 134 },
    act_state: { render: (row) => <StatusTag code={row.act_state} label={row.act_state_name} />, width: 76 },
  });
