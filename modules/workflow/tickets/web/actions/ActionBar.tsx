import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { HeldSays } from '#kernel/web/kit/form/parts/HeldSays.tsx';
import type { Obstacle } from '#kernel/web/kit/form/parts/waiting.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { actionOf } from './actions.ts';
import { takesOpinion } from './asking.ts';

interface Props {
  offers: readonly Offered[];
  disabled: boolean;
  /** They stand beside a record's own actions, of which one is the likely one unless the ticket waits for the person. */
  beside: boolean;
  /** The offer that is being sent. */
  pending: Offered | null;
  /** Why the form and the opinion cannot be sent yet: actions that send neither are offered all the same. */
  held?: readonly Obstacle[];
  onGo: (offer: Offered) => void;
}

const keyOf = (offer: Offered) => `${offer.code}-${offer.transition_id}-${offer.task_no}-${offer.from_admin}`;

/** Names the person it is done for, to distinguish two otherwise equal buttons. */
const nameOf = (offer: Offered) =>
  offer.on_behalf_of ? `${offer.transition_name}（代 ${offer.on_behalf_of}）` : offer.transition_name;

/** My actions: the likely one filled, refusal in red, the others under 更多. */
export function ActionBar({ offers, disabled, beside, pending, held = [], onGo }: Props) {
  const { front, rest } = arranged(offers);
  const filled = front.find((offer, index) => index === 0 && (beside ? likely.includes(offer.code) : invited(offer)));
  const coming = held.some(({ passes }) => passes);
  const waits = (offer: Offered) => (sendsForm(offer) ? held.length > 0 : takesOpinion(offer) && coming);
  return (
    <>
      {front.map((offer) => (
        <Button
          key={keyOf(offer)}
          type={offer === filled ? 'primary' : 'default'}
          danger={offer !== filled && reddish(offer)}
          loading={pending !== null && keyOf(pending) === keyOf(offer)}
          disabled={disabled || waits(offer)}
          data-decides={decidingKeys[offer.code]}
          onClick={() => onGo(offer)}
        >
          {nameOf(offer)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          rootClassName="ticket-menu"
          disabled={disabled}
          menu={{
            items: rest.map((offer) => ({
              key: keyOf(offer),
              label: nameOf(offer),
              danger: reddish(offer),
              disabled: waits(offer),
            })),
            onClick: ({ key }) => {
              const offer = rest.find((one) => keyOf(one) === key);
              if (offer) onGo(offer);
            },
          }}
        >
          <Button disabled={disabled} aria-haspopup="menu">
            更多 <DownOutlined aria-hidden="true" />
          </Button>
        </Dropdown>
      )}
      {offers.some(waits) && <HeldSays held={held} />}
    </>
  );
}

/** Keyboard shortcuts of buttons where the ticket is read beside its list. */
const decidingKeys: Partial<Record<Offered['code'], 'a' | 'r'>> = { approve: 'a', refuse: 'r', return: 'r' };

const likely: readonly Offered['code'][] = [
  'accept',
  'submit',
  'approve',
  'add_node_end',
  'other',
  'save',
  'refuse',
  'return',
];
const later: readonly Offered['code'][] = [
  'resume',
  'apply_finish',
  'end_leave',
  'retreat',
  'release',
  'suspend',
  'urge',
  'comment',
  'deliver',
  'delegate',
  'add_node',
  'remove_node',
  'cc',
  'state',
  'close',
  'revoke',
  'delete',
];

/** Actions that get a filled button: nobody is encouraged to stop or take back others' work. */
function invited(offer: Offered): boolean {
  return [...likely, 'resume', 'apply_finish', 'end_leave', 'urge', 'comment'].includes(offer.code);
}

/** True if the action sends what is in the form, with the opinion. */
const sendsForm = (offer: Offered): boolean =>
  actionOf(offer) === null && offer.code !== 'accept' && offer.code !== 'delete';

function reddish(offer: Offered): boolean {
  return offer.code === 'refuse' || offer.code === 'delete' || (actionOf(offer)?.danger ?? false);
}

/** The likely action first, refusal last; if nothing waits for me, the first of the others moves to the front. */
export function arranged(offers: readonly Offered[]): { front: Offered[]; rest: Offered[] } {
  const order = [...likely, ...later];
  const sorted = offers.toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code));
  const front = sorted.filter((offer) => likely.includes(offer.code));
  const rest = sorted.filter((offer) => !likely.includes(offer.code));
  return front.length > 0 ? { front, rest } : { front: rest.slice(0, 2), rest: rest.slice(2) };
}
