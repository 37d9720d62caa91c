import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import type { PersonCard } from '../../contract/cards.ts';
import { lookups } from '../../contract/lookups.ts';

const none: readonly PersonCard[] = [];
/** The most people that are asked for by their keys at once. */
const most = 100;

/** Cards of people of whom only user names or ids are kept; empty until they are there, and without those who left. */
export function useCards(by: 'id' | 'username', keys: readonly (string | number)[]): readonly PersonCard[] {
  const asked = keys.slice(0, most).map(String).toSorted().join(',');
  const { data = none } = useCall(
    lookups.simpleUsers,
    { query: { ...(by === 'id' ? { ids: asked } : { usernames: asked }), limit: most } },
    { enabled: asked !== '', placeholderData: keepPreviousData, quiet: true },
  );
  return data;
}
