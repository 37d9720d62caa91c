import { Alert } from 'antd';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { StatusTag } from '#kernel/web/kit/StatusTag.tsx';
import { tickets } from '../contract.ts';
import type { Row } from '../contract/shapes.ts';
import { DueLight } from './DueLight.tsx';
import { Handling } from './Handling.tsx';
import { Steps } from './log/Steps.tsx';
import { PrintSheet } from './PrintSheet.tsx';
import './tickets.css';

/** One ticket: its form, its way so far, and what I may do with it now. */
export default function TicketPage() {
  const id = Number(useParams()['id']);
  return <Ticket key={id} id={id} />;
}

function Ticket({ id }: { id: number }) {
  const { data, error, refetch } = useCall(tickets.get, { params: { id } });
  const [next, setNext] = useState<Row | 'none' | null>(null);
  const ticket = data?.value;
  return (
    <Handling key={ticket ? 'there' : 'coming'} ticket={ticket} onMoved={setNext} onStale={() => void refetch()}>
      {({ form, actions, notice }) => (
        <DetailPage
          title={ticket?.title ?? ''}
          sn={ticket?.sn ?? ''}
          status={ticket && <StatusTag code={ticket.act_state_id} label={ticket.act_state_name} />}
          holder={ticket && <Holder ticket={ticket} />}
          loading={!ticket}
          error={ticket ? undefined : error}
          retry={() => void refetch()}
          side={<Steps ticket={id} />}
          actions={actions}
        >
          {next && (
            <Alert
              type="success"
              title="已办好"
              description={
                next === 'none' ? (
                  '没有别的待办了'
                ) : (
                  <>
                    下一张待办：<Link to={`/ticket/detail/${next.id}`}>{next.title}</Link>
                  </>
                )
              }
            />
          )}
          {notice}
          {form}
          {ticket && <PrintSheet ticket={ticket} />}
        </DetailPage>
      )}
    </Handling>
  );
}

function Holder({ ticket }: { ticket: Row }) {
  const { participant_alias } = ticket.participant_info;
  return (
    <>
      {ticket.workflow_info.workflow_name} · {ticket.state.state_name}
      {participant_alias && ` · 等待 ${participant_alias}`} · {ticket.creator_info.alias} 发起于{' '}
      {ticket.gmt_created.slice(0, 16)}
      {ticket.due_at && (
        <>
          {' '}
          · 到期 <DueLight row={ticket} />
        </>
      )}
    </>
  );
}
