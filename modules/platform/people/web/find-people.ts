import { send } from '#kernel/web/client.ts';
import type { Finder, Found, LoadPersonActs } from '#kernel/web/registry.ts';
import type { CodesAt } from '#kernel/web/kit/permission.tsx';
import { lookups, personPath, type Staff } from '../contract/lookups.ts';

/** Up to this number of people the palette offers actions on each: more were hardly meant by one name. */
const meant = 2;

/** Actions that modules offer on somebody; none if unknown. */
async function actsWith(
  { id }: Staff,
  loads: readonly LoadPersonActs[],
  codesAt: CodesAt,
  signal: AbortSignal,
): Promise<Found[]> {
  const [person, ...acts] = await Promise.all([
    send(lookups.person, { params: { id } }, { signal, quiet: true }),
    ...loads.map((load) => load().then((module) => module.default)),
  ]);
  return acts.flatMap((act) => act(person, codesAt));
}

/** People for the command palette, with their numbers as in the address book; each opens their page there. */
const findPeople: Finder = async (text, signal, { codesAt, personActs }) => {
  const query = { search_value: text.slice(0, 100), per_page: 6 };
  const { value: people } = await send(lookups.allStaff, { query }, { signal, quiet: true });
  const acts = await Promise.all(
    people.length > meant
      ? []
      : people.map((person) => actsWith(person, personActs, codesAt, signal).catch((): Found[] => [])),
  );
  return people.flatMap((person, at): Found[] => [
    {
      key: `person-${person.id}`,
      title: person.alias,
      hint: [person.dept_name || person.username, person.office_phone, person.phone].filter(Boolean).join(' · '),
      to: personPath(person.id),
      person: true,
    },
    ...(acts[at] ?? []).map((act): Found => ({ ...act, person: true })),
  ]);
};
export default findPeople;
