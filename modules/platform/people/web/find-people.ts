import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { lookups } from '../contract/lookups.ts';

/** People for the command palette; each opens the address book at the person. */
const findPeople: Finder = async (text, signal) => {
  const query = { search_value: text.slice(0, 100), limit: 6 };
  const people = await send(lookups.simpleUsers, { query }, { signal, quiet: true });
  return people.map((person) => ({
    key: `person-${person.id}`,
    title: person.alias,
    hint: person.dept_name || person.username,
    to: `/address?search_value=${encodeURIComponent(person.alias)}`,
  }));
};
export default findPeople;
