import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { nobody, type Audience } from '../contract/audience.ts';
import type { PersonCard } from '../contract/cards.ts';
import { lookups } from '../contract/lookups.ts';

/** Adds to a page's address the person to write to. */
export const writingTo = (path: string, person: number) => `${path}?write_to=${person}`;

interface Addressee {
  id: number | undefined;
  /** The initial values of the form. */
  audience: Audience;
  known: readonly PersonCard[];
  /** Clears the person from the address, after writing or cancelling. */
  drop: () => void;
}

/** The person in the address to write to. */
export function useAddressee(): Addressee {
  const [address, setAddress] = useSearchParams();
  const id = Number(address.get('write_to')) || undefined;
  const { data } = useCall(lookups.person, { params: { id: id ?? 0 } }, { enabled: id !== undefined, quiet: true });
  const drop = useCallback(() => {
    if (id === undefined) return;
    setAddress(
      (now) => {
        now.delete('write_to');
        return now;
      },
      { replace: true },
    );
  }, [id, setAddress]);
  return { id, audience: id === undefined ? nobody : { ...nobody, users: [id] }, known: data ? [data] : [], drop };
}
