import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { moduleOf, useSend } from '#kernel/web/calls.ts';
import { fieldErrors, send } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { DraftFound } from '#kernel/web/kit/form/parts/DraftFound.tsx';
import { useKeptInput } from '#kernel/web/kit/form/parts/useKeptInput.ts';
import { FormTrouble } from '#kernel/web/kit/form/trouble/FormTrouble.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { useTrouble } from '#kernel/web/kit/form/trouble/trouble.ts';
import { useLeaveGuard } from '#kernel/web/kit/page.tsx';
import { useUndoable } from '#kernel/web/kit/press/undo.tsx';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { tickets } from '../../contract.ts';
import type { Detail, Row } from '../../contract/shapes.ts';
import { ActionBar } from '../actions/ActionBar.tsx';
import { ActionDrawer } from '../actions/ActionDrawer.tsx';
import { actionOf } from '../actions/actions.ts';
import { nothingBeside, takesOpinion, type Beside } from '../actions/asking.ts';
import { useHandingTo } from '../actions/begun-act.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { settledItems } from '#modules/workflow/workflows/engine/fields/settled-items.ts';
import { withoutMarked } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { focusField, useWorks } from '#modules/workflow/workflows/widgets.tsx';
import { HandlingForm } from './HandlingForm.tsx';
import type { Edited } from './ahead.ts';
import { AskedFor } from '../log/AskedFor.tsx';
import { LatestAction } from '../log/LatestDeed.tsx';
import { SinceDecided } from './SinceDecided.tsx';
import { Waits } from '../log/Waits.tsx';
import { Opinion } from './Opinion.tsx';
import { missing, sendable } from '../start/required.ts';
import { keepTicketState } from '../ticket-state.ts';
import { Unsent } from './Unsent.tsx';
import { useAskingDoubles } from './useAskingDoubles.ts';
import { useTakeBack } from './useTakeBack.tsx';

const SignDrawer = later(() => patiently(() => import('../sign/SignDrawer.tsx')));

/** My input, which is kept until it is sent. */
interface Input {
  edited: Record<string, unknown>;
  words: string;
  beside: Beside;
  seen: string | undefined;
}

interface Parts {
  form: ReactNode;
  actions: ReactNode;
  notice: ReactNode;
  edited: Edited;
}
interface Props {
  ticket: Detail | undefined;
  /** Keys of fields others changed since I last looked. */
  changed: ReadonlySet<string>;
  /** Called after an action with the next ticket that waits for me. */
  onMoved: (next: Row | 'none') => void;
  /** The list to go to after deleting it. */
  home?: string;
  /** The record that it decides, which that list shows in its place. */
  record?: { module: string; id: number } | undefined;
  children: (parts: Parts) => ReactNode;
}

/** The result of a decision, with the ticket's title, because the page already shows the next one: the new state, or that it still waits for others. */
function saidOf(
  title: string,
  { code, transition_name }: Offered,
  { stays, state_name }: ReplyOf<typeof tickets.handle>,
): string {
  if (code === 'save') return '已保存';
  return `《${title}》“${transition_name}”${stays ? '已记下，等待其他人处理' : `已办理，现在在“${state_name}”`}`;
}

/** My input and actions on a ticket. Typed text survives every refusal and every reload of the ticket. */
export function Handling({ ticket: got, changed, onMoved, home = '/ticket/owner', record, children }: Props) {
  const { modal, message } = App.useApp();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { input, latest, change, settle, clear, newer } = useKeptInput<Input>(
    `ticket-${got?.id ?? 0}`,
    (kept) => ({
      edited: {},
      words: '',
      beside: nothingBeside,
      seen: got?.seen_hash,
      ...(kept as Partial<Input> | undefined),
    }),
    !got,
  );
  const { edited, words, beside, seen } = input;
  if (got && seen !== got.seen_hash) settle({ ...input, seen: got.seen_hash, edited: withoutMarked(edited) });
  const works = useWorks(got?.field_list);
  const ticket = useMemo(
    () =>
      got && { ...got, field_list: settledItems(got.field_list, edited, works, got.act_state_id === actState.ongoing) },
    [got, edited, works],
  );
  const { errors, failure, times, ...trouble } = useTrouble();
  const [asking, setAsking] = useState<Offered | null>(null);
  const { username: handingOver, drop: dropHanding } = useHandingTo();
  const [signing, setSigning] = useState<Offered | null>(null);
  const [signature, setSignature] = useState<number | null>(null);
  const [pressed, setPressed] = useState<Offered | null>(null);
  const takeBack = useTakeBack();
  const askDoubles = useAskingDoubles();
  const { held, hold } = useHeld();
  const isEdited = Object.keys(edited).length > 0;
  const dirty = isEdited || words !== '' || beside.files.length > 0;
  useLeaveGuard(`ticket-${ticket?.id ?? 0}`, dirty);
  useEffect(() => {
    if (!ticket) return;
    const buttonList = ticket.transitions.map((offer) => offer.transition_name);
    keepTicketState({ ticketId: ticket.id, label: ticket.title, buttonList, notes: words });
  }, [ticket, words]);

  const readAnew = () => void client.invalidateQueries({ queryKey: [moduleOf(tickets.get)] });
  const failed = (error: CallFailed) => {
    const wrong = fieldErrors(error);
    trouble.tell(wrong, error);
    if (wrong.some(({ field }) => field === 'signature')) setSignature(null);
    if (error.code === codes.notNow || error.code === codes.stale) readAnew();
  };
  const begin = () => {
    clear();
    setSignature(null);
    trouble.clear();
  };
  const offerNext = async (stays = nothingBeside) => {
    begin();
    if (stays.files.length > 0 || stays.mentions.length > 0) change({ beside: stays });
    const { value } = await send(tickets.list, { query: { category: 'duty', per_page: 2 } }, { quiet: true });
    onMoved(value.find((row) => row.id !== ticket?.id) ?? 'none');
  };
  const handling = useSend(tickets.handle, { quiet: true, onError: failed });
  const accepting = useSend(tickets.accept, { quiet: true, onError: failed });
  const undoably = useUndoable();
  const busy = handling.isPending || accepting.isPending;

  const remove = async () => {
    if (!ticket) return;
    const { id, title } = ticket;
    const answered = undoably(
      tickets.remove,
      { params: { id } },
      {
        says: `删除“${title}”`,
        leaving: { list: home.slice(1), ids: [record?.id ?? id] },
        stale: record ? [record.module] : [],
      },
    );
    void navigate(home);
    if (!(await answered)) return;
    clear();
    void message.success('已删除');
  };
  // A signature is kept until it is accepted: after a refusal nobody has to sign twice.
  const perform = (offer: Offered, signed = signature, force = false) => {
    if (!ticket) return;
    if (offer.signature_required && signed === null) return setSigning(offer);
    const params = { id: ticket.id };
    const { version, seen_hash } = ticket;
    const task = offer.task_no === null ? {} : { task_no: offer.task_no };
    setPressed(offer);
    if (offer.code === 'accept') {
      accepting.mutate({ params, body: { ...task, version } }, { onSuccess: () => void message.success('接单成功') });
    } else if (offer.code === 'delete') {
      void remove();
    } else {
      const typed = sendable(ticket.field_list, edited);
      // A saved draft is no opinion yet: the people and files stay until there is one.
      const saves = offer.code === 'save';
      const opinion = {
        ...(beside.files.length > 0 && { suggestion_files: [...beside.files] }),
        ...(beside.mentions.length > 0 && { suggestion_mentions: [...beside.mentions] }),
      };
      const sign = offer.signature_required ? { signature: signed } : {};
      const read = { version, seen_hash };
      const body = {
        ...typed,
        ...task,
        ...sign,
        ...read,
        ...(force && { force }),
        transition_id: offer.transition_id ?? 0,
        suggestion: words,
        ...(!saves && opinion),
      };
      handling.mutate(
        { params, body },
        {
          onSuccess: (reply) => {
            void takeBack(ticket.id, saidOf(ticket.title, offer, reply));
            void offerNext(saves ? beside : nothingBeside);
          },
          onError: (failure) => askDoubles(failure, () => perform(offer, signed, true)),
        },
      );
    }
  };
  const go = (offer: Offered) => {
    if (actionOf(offer)) return setAsking(offer);
    const asked = ticket?.field_list.filter((item) => !item.by_record) ?? [];
    const lacking = offer.field_require_check ? missing(asked, edited) : [];
    if (offer.suggestion_required && words.trim() === '') {
      lacking.push({ field: 'suggestion', label: '意见', msg: `“${offer.transition_name}”需要填写意见` });
    }
    if (lacking.length > 0) return trouble.tell(lacking);
    trouble.clear();
    // Actions that can be undone need no confirmation.
    if (!offer.alert_enable || offer.code === 'delete') return perform(offer);
    modal.confirm({
      title: offer.alert_text || `确定${offer.transition_name}吗？`,
      okText: offer.transition_name,
      cancelText: '取消',
      onOk: () => perform(offer),
    });
  };

  if (!ticket) return <>{children({ form: null, actions: null, notice: null, edited })}</>;
  const speaks = ticket.transitions.some((offer) => ['approve', 'refuse', 'other', 'submit'].includes(offer.code));
  const handed = handingOver ? ticket.transitions.find((one) => one.code === 'deliver' && !one.from_admin) : undefined;
  const shown = asking ?? handed ?? null;
  const action = shown && actionOf(shown);
  const beginsWith = handingOver && shown === handed ? [handingOver] : undefined;
  const endAsking = () => {
    setAsking(null);
    dropHanding();
  };
  const takesBeside = shown !== null && takesOpinion(shown);
  const unsaved = [
    ...(isEdited ? ['表单里的修改'] : []),
    ...(!takesBeside && beside.files.length > 0 ? ['意见的附件'] : []),
    ...(!takesBeside && beside.mentions.length > 0 ? ['意见里提到的人'] : []),
  ];
  const onEdit = (key: string, value: unknown) => {
    change({ edited: { ...latest.current.edited, [key]: value } });
    trouble.forget(key);
  };
  const onBeside = (part: Partial<Beside>) => {
    change({ beside: { ...latest.current.beside, ...part } });
    trouble.forget('suggestion_files');
    trouble.forget('suggestion_mentions');
  };
  const form = (
    <HoldContext value={hold}>
      <HandlingForm ticket={ticket} writing={{ changed, edited, errors, disabled: busy, onEdit }} />
    </HoldContext>
  );
  const notice = (
    <>
      <AskedFor ticket={ticket} />
      <SinceDecided ticket={got!} />
      <Waits ticket={ticket} />
      {failure?.code === codes.stale && <LatestAction ticket={ticket.id} />}
      <FormTrouble times={times} errors={errors} failure={failure} onJump={focusField} />
      <DraftFound draft={newer} onRestore={(kept) => change(kept as Partial<Input>)} />
      {!speaks && <Unsent ticket={ticket} edited={edited} words={words} beside={beside} onDrop={begin} />}
    </>
  );
  const actions = ticket.transitions.length > 0 && (
    <>
      {speaks && (
        <HoldContext value={hold}>
          <Opinion
            value={words}
            beside={beside}
            disabled={busy}
            error={errors.find((error) => error.field === 'suggestion')?.msg}
            onChange={(value) => {
              change({ words: value });
              trouble.forget('suggestion');
            }}
            onBeside={onBeside}
          />
        </HoldContext>
      )}
      <ActionBar
        offers={ticket.transitions}
        disabled={busy}
        held={held}
        beside={record !== undefined}
        pending={busy ? pressed : null}
        onGo={go}
      />
      {signing && (
        <Suspense>
          <SignDrawer
            act={signing.transition_name}
            onClose={() => setSigning(null)}
            onSigned={(file) => {
              setSigning(null);
              setSignature(file);
              perform(signing, file);
            }}
          />
        </Suspense>
      )}
      {shown && action && (
        <ActionDrawer
          key={`${shown.code} ${beginsWith?.join(' ') ?? ''}`}
          ticket={ticket}
          offer={shown}
          action={action}
          words={words}
          beside={beside}
          onBeside={onBeside}
          {...(beginsWith && { people: beginsWith })}
          unsaved={action.task ? unsaved : []}
          onStale={readAnew}
          onClose={endAsking}
          onDone={(done) => {
            endAsking();
            // 撤回 would not undo the drawers' other actions.
            if (shown.code === 'return') void takeBack(ticket.id, `《${ticket.title}》${done}`);
            else void message.success(done);
            if (action.task) void offerNext();
          }}
        />
      )}
    </>
  );
  return <>{children({ form, actions, notice, edited })}</>;
}
