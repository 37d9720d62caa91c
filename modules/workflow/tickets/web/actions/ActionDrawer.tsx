import { Alert, Button, Drawer } from 'antd';
import { codes } from '#kernel/contract/refusal.ts';
import { useSend } from '#kernel/web/calls.ts';
import { fieldErrors } from '#kernel/web/client.ts';
import { DraftFound } from '#kernel/web/kit/form/parts/DraftFound.tsx';
import { HeldSays } from '#kernel/web/kit/form/parts/HeldSays.tsx';
import { useKeptInput } from '#kernel/web/kit/form/parts/useKeptInput.ts';
import { FormTrouble } from '#kernel/web/kit/form/trouble/FormTrouble.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { useTrouble } from '#kernel/web/kit/form/trouble/trouble.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Detail } from '../../contract/shapes.ts';
import { ActionFields } from './ActionFields.tsx';
import { askingAtFirst, bodyOf, lackingOf, takesOpinion, type Asking, type Beside } from './asking.ts';
import type { Action } from './actions.ts';

interface Props {
  ticket: Pick<Detail, 'id' | 'version' | 'transitions'>;
  offer: Offered;
  action: Action;
  /** Text begun in the page's opinion box. */
  words: string;
  /** People and files chosen in the page's opinion box, which an opinion on a task takes along. */
  beside?: Beside;
  /** Called when they are changed here: a file that is removed here no longer exists for the box either. */
  onBeside?: (part: Partial<Beside>) => void;
  /** User names of the people initially chosen. */
  people?: readonly string[];
  /** Names the input on the page that this action does not send. */
  unsaved?: readonly string[];
  /** Called with the success message. */
  onDone: (done: string) => void;
  /** Called if somebody else was faster, so that the ticket is read anew. */
  onStale: () => void;
  onClose: () => void;
}

/** One action other than the transitions, in a drawer. After a refusal the input stays. */
export function ActionDrawer({
  ticket,
  offer,
  action,
  unsaved = [],
  onBeside,
  onDone,
  onStale,
  onClose,
  ...begun
}: Props) {
  const narrow = useNarrow();
  const {
    input: asking,
    newer,
    clear,
    ...input
  } = useKeptInput<Asking>(`ticket-${ticket.id}-${offer.code}`, (kept) =>
    askingAtFirst(offer, { ...begun, kept: kept as Partial<Asking> | undefined }),
  );
  const { held, hold } = useHeld();
  const { errors, failure, times, ...trouble } = useTrouble();
  const sending = useSend(action.call, {
    quiet: true,
    onSuccess: () => {
      clear();
      onDone(action.call.message ?? `已${offer.transition_name}`);
    },
    onError: (error) => {
      trouble.tell(fieldErrors(error), error);
      if (error.code === codes.notNow || error.code === codes.stale) onStale();
    },
  });
  // The ticket was read anew after a conflict: its present offers count.
  const still = ticket.transitions.some(
    (one) => one.code === offer.code && one.task_no === offer.task_no && one.from_admin === offer.from_admin,
  );
  const change = (part: Partial<Asking>, field: string) => {
    input.change(part);
    if (takesOpinion(offer) && part.people) onBeside?.({ mentions: part.people });
    if (takesOpinion(offer) && part.files) onBeside?.({ files: part.files });
    trouble.forget(field);
  };
  const go = () => {
    const lacking = lackingOf(offer, action, asking);
    if (lacking.length > 0) return trouble.tell(lacking);
    trouble.clear();
    sending.mutate({ params: { id: ticket.id }, body: bodyOf(offer, action, asking, ticket.version) });
  };
  return (
    <Drawer
      title={offer.transition_name}
      open
      onClose={onClose}
      // A click beside the form, such as the second of a double click, must not discard it.
      mask={{ closable: false }}
      size={narrow ? '100%' : 480}
      footer={
        <div className="kit-row ticket-foot">
          <Button
            type="primary"
            danger={action.danger}
            loading={sending.isPending}
            disabled={!still || held.length > 0}
            onClick={go}
          >
            {offer.transition_name}
          </Button>
          <Button onClick={onClose}>取消</Button>
          <HeldSays held={held} />
        </div>
      }
    >
      <p className="kit-muted ticket-says">{action.says}</p>
      <DraftFound draft={newer} onRestore={(kept) => input.change(kept as Partial<Asking>)} />
      {!still && <Alert type="warning" title={`现在不能${offer.transition_name}了，您写的内容可以复制后再关闭`} />}
      {unsaved.length > 0 && <Alert type="warning" title={`${unsaved.join('、')}不会随这个操作提交`} />}
      <FormTrouble
        times={times}
        errors={errors}
        failure={failure}
        onJump={(field) => document.getElementById(`act-${field}`)?.focus()}
      />
      <HoldContext value={hold}>
        <ActionFields
          offer={offer}
          action={action}
          asking={asking}
          errors={errors}
          disabled={sending.isPending}
          onChange={change}
        />
      </HoldContext>
    </Drawer>
  );
}
