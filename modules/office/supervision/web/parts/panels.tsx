import { Button, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { download } from '#kernel/web/client.ts';
import { saveFile } from '#kernel/web/kit/saveFile.ts';

import * as codes from '../../contract/codes.ts';
import { opinionType } from '../../contract/codes.ts';
import { type OpinionRow, ProgressRow, RequestRow, SheetRow } from '../../contract/shapes.ts';
import { opinions, progress, requests, sheets } from '../../contract/hung.ts';
import { items } from '../../contract/supervise.ts';
import { choiceFilter, Colour } from './columns.tsx';
import { useSuperviseActs } from './actions.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';

type Tabs = Pick<ListPageProps<never>, 'tabs' | 'query'> & { primary?: React.ReactNode };
const small = { size: 'small' } as const;
/** The title of a row above its form; a report's stages can no longer be chosen. */
const named = <Row extends { sub_title: string; supervise_title: string; no?: string }>(row: Row) => ({
  ...row,
  stages: [],
  title: row.no ?? (row.sub_title || row.supervise_title),
});
interface Hung {
  id: number;
  supervise_id: number;
  sub_title: string;
  supervise_title: string;
  actions: readonly string[];
}
const titles = {
  sub_title: { width: 190, main: true, render: (row: Hung) => row.sub_title || row.supervise_title },
  supervise_title: { width: 150 },
};
const at = { width: 110, sort: true };

/** A list of reports, opinions, requests or sheets with their actions. */
function HungList<Row extends Hung>({
  actions,
  ...props
}: Omit<ListPageProps<Row>, 'title' | 'to' | 'rowActions'> & { actions?: (row: Row) => React.ReactNode }) {
  const { buttons, drawer } = useSuperviseActs();
  return (
    <>
      <ListPage<Row>
        {...props}
        title="督办事项"
        to={(row) => `/supervise/detail/${row.supervise_id}`}
        rowActions={(row) => (
          <div className="kit-row">
            {buttons(named(row), row.actions, small)}
            {actions?.(row)}
          </div>
        )}
      />
      {drawer}
    </>
  );
}
export const ChecksList = (props: Tabs) => (
  <HungList<ProgressRow>
    {...props}
    name="supervise/checks"
    card={['percent', 'reporter_info', 'check_due']}
    call={progress.list}
    columns={listColumns(ProgressRow, {
      ...titles,
      percent: {
        width: 110,
        render: (row) => `${row.before}% → ${row.percent}%${row.is_finish ? '，申请完成' : ''}`,
      },
      content: { width: 190 },
      reporter_info: { width: 84, render: (row) => <Who card={row.reporter_info} place={row.reporter_for_info} /> },
      gmt_created: at,
      check_due: { width: 116 },
    })}
    empty={{ why: '没有等待审核的反馈' }}
  />
);
export const RequestsList = (props: Tabs) => (
  <HungList<RequestRow>
    {...props}
    name="supervise/requests"
    card={['kind', 'state', 'by_info']}
    call={requests.list}
    columns={listColumns(RequestRow, {
      ...titles,
      kind: { width: 70 },
      reason: { width: 180 },
      apply_due: { width: 140 },
      by_info: { width: 84, render: (row) => <Who card={row.by_info} place={row.by_for_info} /> },
      gmt_created: at,
      state: { width: 80, render: (row) => <Tag>{codes.requestState.label(row.state)}</Tag> },
    })}
    empty={{ why: '没有等待决定的申请' }}
  />
);
export const SheetsList = (props: Tabs) => (
  <HungList<SheetRow>
    {...props}
    name="supervise/sheets"
    card={['colour', 'owner_info', 'received_at']}
    call={sheets.list}
    filters={[choiceFilter('colour', codes.sheetColour.names, true)]}
    columns={listColumns(SheetRow, {
      no: { width: 130, whole: true },
      colour: { width: 64, render: (row) => <Colour code={row.colour} /> },
      ...titles,
      content: { width: 150 },
      owner_info: { width: 80 },
      gmt_created: at,
      received_at: { width: 130, render: signed },
    })}
    actions={(row) => <Print call={sheets.pdf} id={row.id} name="督办单" />}
    empty={{ why: '还没有督办单' }}
  />
);
const signed = (row: SheetRow) =>
  row.received_at ? `${row.received_by_info?.alias ?? ''} ${row.received_at.slice(0, 16)}` : '未签收';

/** A button that downloads a PDF. */
export const Print = ({ call, id, name }: { call: typeof sheets.pdf | typeof items.pdf; id: number; name: string }) => (
  <Button
    onClick={() =>
      void download(call, { params: { id } })
        .then((got) => got && saveFile(got.blob, got.name || `${name}.pdf`))
        .catch(() => null)
    }
  >
    打印
  </Button>
);

interface Named {
  alias: string;
}
export const Who = ({ card, place }: { card: Named | null; place?: Named | null }) => (
  <span>
    {card?.alias ?? '—'}
    {place && <span className="kit-muted">（代{place.alias}）</span>}
  </span>
);

/** Reports, opinions, requests and sheets of an item, the newest first. */
export function Said({ id }: { id: number }) {
  const query = { supervise_id: id, per_page: 100 };
  const { buttons, drawer } = useSuperviseActs();
  const reports = useCall(progress.list, { query }).data?.value ?? [];
  const said = useCall(opinions.list, { query }).data?.value ?? [];
  const asked = useCall(requests.list, { query }).data?.value ?? [];
  const sent = useCall(sheets.list, { query }).data?.value ?? [];
  return (
    <>
      <Panel title="进展" rows={reports} none="还没有反馈">
        {(row: ProgressRow) => (
          <>
            <Line row={row} who={<Who card={row.reporter_info} place={row.reporter_for_info} />}>
              <b className="kit-figures">
                {row.before}% → {row.percent}%
              </b>
              {row.is_finish && <Tag color="cyan">申请完成</Tag>}
              <Tag color={['processing', 'success', 'warning'][row.check_state]}>
                {codes.checkState.label(row.check_state)}
              </Tag>
              {buttons(named(row), row.actions, small)}
            </Line>
            <p>{row.content}</p>
            {row.reason && <p>比例下降：{row.reason}</p>}
            {row.problem && <p className="sup-problem">问题：{row.problem}</p>}
            {row.next_plan && <p>下一步：{row.next_plan}</p>}
            {row.files.length > 0 && <FileLinks files={row.files} />}
            {row.check_time && (
              <p className="kit-muted">
                <Who card={row.checker_info} place={row.checker_for_info} /> {row.check_time.slice(0, 16)}{' '}
                {row.check_opinion}
              </p>
            )}
          </>
        )}
      </Panel>
      <Panel title="意见" rows={said} none="还没有意见">
        {(row: OpinionRow) => (
          <>
            <Line row={row} who={<Who card={row.author_info} />}>
              <Tag color={row.type === opinionType.leader ? 'red' : 'default'}>{codes.opinionType.label(row.type)}</Tag>
            </Line>
            <p>
              {row.at_users_info.map((card) => `@${card.alias} `)}
              {row.content}
            </p>
          </>
        )}
      </Panel>
      <Panel title="申请" rows={asked} none="">
        {(row: RequestRow) => (
          <>
            <Line row={row} who={<Who card={row.by_info} place={row.by_for_info} />}>
              <Tag>{codes.requestKind.label(row.kind)}</Tag>
              <Tag color={['', 'processing', 'success', 'error', 'default', 'default'][row.state]}>
                {codes.requestState.label(row.state)}
              </Tag>
              {buttons(named(row), row.actions, small)}
            </Line>
            <p>
              {row.reason}
              {row.apply_due && `（申请延至 ${row.apply_due.slice(0, 16)}）`}
              {row.to_info && `（建议由${row.to_info.alias}承办）`}
            </p>
            {row.decided_at && (
              <p className="kit-muted">
                <Who card={row.decider_info} /> {row.decided_at.slice(0, 16)} {row.opinion}
              </p>
            )}
          </>
        )}
      </Panel>
      <Panel title="督办单" rows={sent} none="">
        {(row: SheetRow) => (
          <>
            <Line row={row} who={<Who card={row.owner_info} />}>
              <Colour code={row.colour} />
              {row.no}
              {buttons(named(row), row.actions, small)}
              <Print call={sheets.pdf} id={row.id} name="督办单" />
            </Line>
            <p>{row.content}</p>
            <p className="kit-muted">
              {row.received_at
                ? `${row.received_by_info?.alias ?? ''} ${row.received_at.slice(0, 16)} 签收 ${row.answer}`
                : '未签收'}
            </p>
          </>
        )}
      </Panel>
      {drawer}
    </>
  );
}
const Line = ({
  row,
  who,
  children,
}: {
  row: { sub_title: string; gmt_created: string };
  who: React.ReactNode;
  children: React.ReactNode;
}) => (
  <div className="kit-row">
    {who}
    <span>{row.sub_title}</span>
    {children}
    <span className="kit-grow" />
    <span className="kit-muted">
      <Moment at={row.gmt_created} />
    </span>
  </div>
);
/** A panel with a list; without a text for the empty case, it is left out when empty. */
function Panel<Row extends { id: number }>({
  title,
  rows,
  none,
  children,
}: {
  title: string;
  rows: readonly Row[];
  none: string;
  children: (row: Row) => React.ReactNode;
}) {
  if (rows.length === 0 && none === '') return null;
  return (
    <section className="kit-panel">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="kit-muted">{none}</p>
      ) : (
        <ul className="sup-says">
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
