import { PrinterOutlined } from '@ant-design/icons';
import { Alert, Button, Segmented, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { Links } from '#modules/platform/links/widgets.tsx';
import { tickets } from '../contract.ts';
import { begunText } from '../contract/begun.ts';
import { halfDayText } from '../contract/leave.ts';
import type { Detail, Row } from '../contract/shapes.ts';
import { DueLight } from './DueLight.tsx';
import { FlowGraph } from './FlowGraph.tsx';
import { Handling } from './record/Handling.tsx';
import { useChangedFields, useReadUntil } from './log/news.tsx';
import { WhyMe } from './log/WhyMe.tsx';
import { PrintSheet } from './print/PrintSheet.tsx';
import { startedHere } from './start/started-here.ts';
import { TicketSide } from './TicketSide.tsx';
import { openedAt } from './opened.ts';
import './tickets.css';

/** One ticket: its form, its progress, and what I may do with it now. */
export default function TicketPage() {
  const id = Number(useParams()['id']);
  return <Ticket key={id} id={id} />;
}

function Ticket({ id }: { id: number }) {
  const { data, error, refetch, dataUpdatedAt } = useCall(
    tickets.get,
    { params: { id } },
    { refetchOnWindowFocus: true, meta: live },
  );
  const [next, setNext] = useState<Row | 'none' | null>(null);
  const [shown, setShown] = useState<'form' | 'graph'>('form');
  const ticket = data?.value;
  const until = useReadUntil(ticket, dataUpdatedAt);
  const changed = useChangedFields(ticket, until);
  if (ticket?.record_path) return <Instead to={ticket.record_path} />;
  return (
    <Handling key={ticket ? 'there' : 'coming'} ticket={ticket} changed={changed} onMoved={setNext}>
      {({ form, actions, notice, edited }) => (
        <DetailPage
          title={ticket?.title ?? ''}
          sn={ticket?.sn ?? ''}
          status={
            ticket && (
              <StatusTag code={ticket.act_state_id} label={ticket.act_state_name} unsettled={ticket.unsettled} />
            )
          }
          holder={ticket && <Holder ticket={ticket} />}
          loading={!ticket}
          error={ticket && error?.code !== codes.absent ? undefined : error}
          retry={() => void refetch()}
          side={ticket && <TicketSide ticket={ticket} until={until} edited={edited} />}
          actions={actions}
        >
          {ticket && <Started ticket={ticket} />}
          {ticket?.record_closed && (
            <Alert
              type="info"
              showIcon
              title="您可以查看这张工单的办理过程；它审批的内容不在您的查看范围内，如需查看请联系发起人或该业务的管理员"
            />
          )}
          {ticket?.back_at && (
            <Alert
              type="info"
              showIcon
              title={`已于 ${halfDayText(ticket.back_at)}返岗，此后不再计为${ticket.away_name}`}
            />
          )}
          {next && <Next row={next} />}
          {notice}
          <div className="kit-row ticket-views">
            <Segmented
              aria-label="显示"
              options={[
                { value: 'form', label: '表单' },
                { value: 'graph', label: '流程图' },
              ]}
              value={shown}
              onChange={setShown}
            />
            <span className="kit-grow" />
            {ticket?.copies_to && (
              <Link to={`/ticket/new?workflow=${ticket.copies_to}&like=${ticket.id}`}>再次发起</Link>
            )}
            <Button icon={<PrinterOutlined aria-hidden="true" />} onClick={() => window.print()}>
              打印
            </Button>
          </div>
          <div className="kit-stack" hidden={shown !== 'form'}>
            {form}
          </div>
          {shown === 'graph' && ticket && <FlowGraph ticket={ticket} />}
          {ticket && <Links module="tickets" id={ticket.id} />}
          {ticket && <PrintSheet ticket={ticket} />}
        </DetailPage>
      )}
    </Handling>
  );
}

/** The message after a form was sent and its page became the ticket's. */
function Started({ ticket: { id, sn } }: { ticket: Detail }) {
  const workflow = startedHere.get(id);
  if (workflow === undefined) return null;
  return (
    <Alert
      type="success"
      showIcon
      title={
        <>
          已提交 {sn}，<Link to={`/ticket/new?workflow=${workflow}`}>再发起一份</Link>
        </>
      }
    />
  );
}

/** A ticket that decides a record is handled on the record's page. */
function Instead({ to }: { to: string }) {
  const become = useBecome();
  useEffect(() => become(to), [become, to]);
  return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
}

function Next({ row }: { row: Row | 'none' }) {
  const offer =
    row === 'none' ? (
      '没有别的待办了'
    ) : (
      <>
        下一张待办：<Link to={openedAt(row)}>{row.title}</Link>
      </>
    );
  return <Alert type="success" title="已办理" description={offer} />;
}

function Holder({ ticket }: { ticket: Detail }) {
  const { participant_alias } = ticket.participant_info;
  return (
    <>
      {ticket.workflow_info.workflow_name} · {ticket.state.state_name}
      {participant_alias && ` · 等待 ${participant_alias}`} · {begunText(ticket)}
      {ticket.due_at && (
        <>
          {' '}
          · 到期 <DueLight row={ticket} /> <Provisional inline day={ticket.due_at} />
        </>
      )}
      {ticket.why_me && ' · '}
      <WhyMe ticket={ticket} />
    </>
  );
}
