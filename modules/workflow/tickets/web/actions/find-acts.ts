import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { tickets } from '../../contract.ts';
import { handingTo } from './begun-act.ts';

const wanted = /^(?:转交|转办|交)给?\s*(\S.*)$/;
const ticketPage = /^\/ticket\/detail\/(\d+)$/;

/** Finds actions on the open ticket with a person: 转交给 张三. */
const findActs: Finder = async (text, signal, { at }) => {
  const name = wanted.exec(text.trim())?.[1];
  const id = Number(ticketPage.exec(at)?.[1]);
  if (!name || !id) return [];
  const { value: offers } = await send(tickets.transitions, { params: { id } }, { signal, quiet: true });
  const offer = offers.find(({ code, from_admin }) => code === 'deliver' && !from_admin);
  if (!offer) return [];
  const query = { search_value: name.slice(0, 100), limit: 4 };
  const people = await send(lookups.simpleUsers, { query }, { signal, quiet: true });
  return people.map((person) => ({
    key: `deliver-${person.id}`,
    title: `${offer.transition_name}给 ${person.alias}`,
    hint: `当前工单 · ${person.dept_name || person.username}`,
    act: true as const,
    to: handingTo(id, person.username),
  }));
};
export default findActs;
