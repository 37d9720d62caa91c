import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { lookups, personPath } from '../contract/lookups.ts';

/** People for the command palette; each opens the person's page of the address book. */
const findPeople: Finder = async (text, signal) => {
  const query = { search_value: text.slice(0, 100), limit: 6 };
  const people = await send(lookups.simpleUsers, { query }, { signal, quiet: true });
  return people.map((person) => ({
    key: `person-${person.id}`,
    title: person.alias,
    hint: person.dept_name || person.username,
    to: personPath(person.id),
  }));
};
export default findPeople;
