import { Alert, App, Button, Skeleton } from 'antd';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { fieldErrors } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { FailedState } from '#kernel/web/kit/FailedState.tsx';
import { useDraft } from '#kernel/web/kit/form/draft.ts';
import { FormTrouble } from '#kernel/web/kit/form/FormTrouble.tsx';
import { useLeaveGuard, usePageTitle } from '#kernel/web/kit/page.tsx';
import { minuteOf } from '#kernel/web/kit/Moment.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import type { Offered } from '#modules/workflows/contract/shapes.ts';
import { tickets } from '../contract.ts';
import { Choose, type Chosen } from './fields/Choose.tsx';
import { focusField, TicketFields } from './fields/TicketFields.tsx';
import { useWaiting } from './fields/waiting.ts';
import { missing, sendable } from './required.ts';
import { useTakeBack } from './useTakeBack.tsx';

interface Props {
  workflow: number;
  /** The ticket it hangs below, and the state that waits for it. */
  below: { parent_ticket_id: number; parent_ticket_state_id: number } | null;
  onBack: () => void;
}

/** A new ticket's form, as the start state of its workflow says. What is typed is kept in the browser until it is sent. */
export function StartForm({ workflow, below, onBack }: Props) {
  const start = useCall(workflows.initState, { params: { id: workflow } }, { refetchOnWindowFocus: false });
  const { message } = App.useApp();
  const navigate = useNavigate();
  const draft = useDraft(`ticket-new-${workflow}`);
  const [edited, setEdited] = useState<Record<string, unknown>>({});
  const [errors, setErrors] = useState<FieldError[]>([]);
  const [failure, setFailure] = useState<CallFailed | null>(null);
  const trouble = useRef<HTMLDivElement>(null);
  const [sent, setSent] = useState(false);
  const takeBack = useTakeBack();
  const { waiting, onWait } = useWaiting();
  useLeaveGuard(`ticket-new-${workflow}`, Object.keys(edited).length > 0 && !sent);
  usePageTitle(start.data && `发起${start.data.workflow_name}`);
  const place = (found: FieldError[]) => {
    setErrors(found);
    setTimeout(() => trouble.current?.focus());
  };
  const sending = useSend(tickets.start, {
    quiet: true,
    onSuccess: (moved) => {
      setSent(true);
      draft.drop();
      if (moved.act_state === 0) void message.success(`已保存草稿 ${moved.sn}`);
      else void takeBack(moved.id, `已提交，流水号 ${moved.sn}`);
      void navigate(`/ticket/detail/${moved.id}`);
    },
    onError: (error) => {
      setFailure(error);
      place(fieldErrors(error));
    },
  });
  if (start.error && !start.data) return <FailedState error={start.error} retry={() => void start.refetch()} />;
  if (!start.data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const { field_list: items, transition: offers, workflow_name } = start.data;
  const edit = (key: string, value: unknown) => {
    const next = { ...edited, [key]: value };
    setEdited(next);
    draft.keep(next);
    setErrors(errors.filter((error) => error.field !== key));
  };
  const go = (offer: Offered) => {
    setFailure(null);
    const lacking = offer.field_require_check ? missing(items, edited) : [];
    if (lacking.length > 0) return place(lacking);
    setErrors([]);
    const body = {
      ...sendable(items, edited),
      ...below,
      workflow_id: workflow,
      transition_id: offer.transition_id ?? 0,
    };
    sending.mutate({ body });
  };
  return (
    <article className="kit-detail">
      <header className="kit-panel kit-row kit-list-head">
        <h1>发起{workflow_name}</h1>
        <Button type="text" onClick={onBack}>
          换一种
        </Button>
      </header>
      <div className="kit-panel">
        {below && (
          <Alert
            type="info"
            title={<Link to={`/ticket/detail/${below.parent_ticket_id}`}>这是下级工单，办结后上级工单继续</Link>}
          />
        )}
        {draft.found && (
          <Alert
            type="info"
            title={`有一份 ${minuteOf(draft.found.at)} 未提交的草稿`}
            action={
              <>
                <Button
                  size="small"
                  onClick={() => {
                    setEdited(draft.found?.values ?? {});
                    draft.dismiss();
                  }}
                >
                  恢复草稿
                </Button>
                <Button size="small" type="text" onClick={draft.drop}>
                  丢弃
                </Button>
              </>
            }
          />
        )}
        <FormTrouble ref={trouble} errors={errors} failure={failure} onJump={focusField} />
        <TicketFields
          items={items}
          edited={edited}
          errors={errors}
          onEdit={edit}
          disabled={sending.isPending}
          onWait={onWait}
        />
        <Choose
          states={start.data.choose}
          value={(edited['choose'] as Chosen | undefined) ?? {}}
          errors={errors}
          disabled={sending.isPending}
          onChange={(next) => edit('choose', next)}
        />
      </div>
      <footer className="kit-actions" aria-label="操作">
        {offers
          .toSorted((a, b) => Number(a.code === 'save') - Number(b.code === 'save'))
          .map((offer) => (
            <Button
              key={offer.transition_id}
              type={offer.code === 'save' ? 'default' : 'primary'}
              loading={sending.isPending && sending.variables.body?.['transition_id'] === offer.transition_id}
              disabled={waiting}
              onClick={() => go(offer)}
            >
              {offer.code === 'save' ? '保存草稿' : `${offer.transition_name}${workflow_name}`}
            </Button>
          ))}
      </footer>
    </article>
  );
}
