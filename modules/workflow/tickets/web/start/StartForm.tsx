import { Alert, App, Button, Skeleton } from 'antd';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { fieldErrors } from '#kernel/web/client.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { useDraft } from '#kernel/web/kit/form/draft.ts';
import { DraftFound } from '#kernel/web/kit/form/parts/DraftFound.tsx';
import { FormTrouble } from '#kernel/web/kit/form/trouble/FormTrouble.tsx';
import { HeldSays } from '#kernel/web/kit/form/parts/HeldSays.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { useTrouble } from '#kernel/web/kit/form/trouble/trouble.ts';
import { useBecome, useLeaveGuard, usePageTitle } from '#kernel/web/kit/page.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import type { FieldItem, Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';
import { Choose, type Chosen } from '../fields/Choose.tsx';
import { settledItems } from '#modules/workflow/workflows/engine/fields/settled-items.ts';
import { focusField, TicketFields, useWorks } from '#modules/workflow/workflows/widgets.tsx';
import { Applicant } from './Applicant.tsx';
import { Foreseen } from './Foreseen.tsx';
import { LastOne } from './LastOne.tsx';
import { missing, sendable } from './required.ts';
import { startedHere } from './started-here.ts';
import { useAskingDoubles } from '../record/useAskingDoubles.ts';
import { useTakeBack } from '../record/useTakeBack.tsx';

interface Props {
  workflow: number;
  /** The parent ticket, and its state that waits for the new one. */
  below: { parent_ticket_id: number; parent_ticket_state_id: number } | null;
  /** Initial values from an earlier ticket. */
  begun?: Pick<ReplyOf<typeof tickets.copy>, 'values' | 'people' | 'left'>;
  onBack: () => void;
}

/** A new ticket's form, by the start state of its workflow. Input is kept in the browser until it is sent. */
export function StartForm({ workflow, below, begun, onBack }: Props) {
  const { message } = App.useApp();
  const become = useBecome();
  const draft = useDraft(`ticket-new-${workflow}`);
  const [edited, setEdited] = useState<Record<string, unknown>>(begun?.values ?? {});
  const latest = useRef(edited);
  useLayoutEffect(() => void (latest.current = edited), [edited]);
  const { begin_for: chosen, ...typed } = edited;
  const begin_for = below ? undefined : (chosen as string | undefined);
  const own = useCall(workflows.initState, { params: { id: workflow }, query: {} }, { refetchOnWindowFocus: false });
  const theirs = useCall(
    workflows.initState,
    { params: { id: workflow }, query: { begin_for } },
    { refetchOnWindowFocus: false, enabled: begin_for !== undefined, quiet: true },
  );
  const data = (begin_for !== undefined && theirs.data) || own.data;
  const { errors, failure, times, ...trouble } = useTrouble();
  const [sent, setSent] = useState(false);
  const takeBack = useTakeBack();
  const askDoubles = useAskingDoubles();
  const { held, hold } = useHeld();
  useLeaveGuard(`ticket-new-${workflow}`, Object.keys(edited).length > 0 && !sent);
  const works = useWorks(data?.field_list);
  usePageTitle(data && `发起${data.workflow_name}`);
  const sending = useSend(tickets.start, {
    quiet: true,
    attempt: draft.attempt,
    onSuccess: (moved) => {
      setSent(true);
      draft.drop();
      if (moved.act_state === actState.draft) void message.success(`已保存草稿 ${moved.sn}`);
      else void takeBack(moved.id, `已提交，流水号 ${moved.sn}`);
      if (moved.act_state !== actState.draft && !below) startedHere.set(moved.id, workflow);
      become(`/ticket/detail/${moved.id}`);
    },
    onError: (error) => {
      if (error.sentBefore) draft.renew();
      trouble.tell(fieldErrors(error), error);
    },
  });
  if (own.error && !data) return <FailedState error={own.error} retry={() => void own.refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const { transition, workflow_name, for_self, for_others, applicant } = data;
  const forOther = begin_for !== undefined;
  // A draft belongs to its creator, so what is written for somebody else is not saved as one.
  const offers = transition.filter(({ code }) => !forOther || code !== 'save');
  const ready = forOther ? theirs.data !== undefined : for_self;
  const field_list = data.field_list.map((item) => ({
    ...item,
    field_people: { ...begun?.people, ...item.field_people },
  }));
  const filled = { ...ownOf(field_list), ...typed };
  const items = settledItems(field_list, filled, works);
  const edit = (key: string, value: unknown) => {
    // Two files may arrive before the next rendering, or while the tab is hidden and renders nothing.
    latest.current = { ...latest.current, [key]: value };
    setEdited(latest.current);
    draft.keep(latest.current);
    trouble.forget(key);
  };
  const go = (offer: Offered, force = false) => {
    const lacking = offer.field_require_check ? missing(items, filled) : [];
    if (lacking.length > 0) return trouble.tell(lacking);
    trouble.clear();
    const body = {
      ...sendable(items, filled),
      ...below,
      begin_for,
      workflow_id: workflow,
      transition_id: offer.transition_id ?? 0,
      ...(force && { force }),
    };
    sending.mutate({ body }, { onError: (failure) => askDoubles(failure, () => go(offer, true)) });
  };
  return (
    <article className="kit-detail">
      <header className="kit-panel kit-row kit-list-head">
        <h1>发起{workflow_name}</h1>
        {!below && !begun && Object.keys(edited).length === 0 && <LastOne workflow={workflow} />}
        <Button type="text" onClick={onBack}>
          更换流程
        </Button>
      </header>
      <div className="kit-detail-body kit-with-side">
        <div className="kit-panel">
          {below && (
            <Alert
              type="info"
              title={<Link to={`/ticket/detail/${below.parent_ticket_id}`}>这是下级工单，办结后上级工单继续</Link>}
            />
          )}
          {begun && begun.left > 0 && (
            <Alert type="info" showIcon title={`原工单有 ${begun.left} 处附件没有带过来，需要的请重新上传`} />
          )}
          <DraftFound draft={draft} onRestore={setEdited} />
          <FormTrouble times={times} errors={errors} failure={failure} onJump={focusField} />
          {((for_others && !below) || forOther) && (
            <Applicant
              value={begin_for}
              required={!for_self}
              known={applicant}
              msg={theirs.error && forOther ? theirs.error.message : ''}
              disabled={sending.isPending || sent}
              onChange={(next) => edit('begin_for', next)}
            />
          )}
          <HoldContext value={hold}>
            <TicketFields
              items={items}
              edited={edited}
              errors={errors}
              onEdit={edit}
              disabled={sending.isPending || sent}
              workflow={workflow}
            />
          </HoldContext>
          <Choose
            states={data.choose}
            value={(edited['choose'] as Chosen | undefined) ?? {}}
            errors={errors}
            disabled={sending.isPending || sent}
            onChange={(next) => edit('choose', next)}
          />
        </div>
        {!below && <Foreseen workflow={workflow} values={filled} begin_for={begin_for} />}
      </div>
      <footer className="kit-actions" aria-label="操作">
        {offers
          .toSorted((a, b) => Number(a.code === 'save') - Number(b.code === 'save'))
          .map((offer) => (
            <Button
              key={offer.transition_id}
              type={offer.code === 'save' ? 'default' : 'primary'}
              loading={sending.isPending && sending.variables.body?.['transition_id'] === offer.transition_id}
              disabled={held.length > 0 || sent || !ready}
              onClick={() => go(offer)}
            >
              {offer.code === 'save' ? '保存草稿' : `${offer.transition_name}${workflow_name}`}
            </Button>
          ))}
        <HeldSays held={held} />
      </footer>
    </article>
  );
}

/** Values the server filled in about the creator: sent like typed ones, because the flow has no default for them. */
const ownOf = (items: readonly FieldItem[]) =>
  Object.fromEntries(
    items
      .filter((item) => item.default_value === null && !item.field_template && item.field_value !== null)
      .map((item) => [item.field_key, item.field_value]),
  );
