import { fieldAccess } from '../codes.ts';
import { fieldsOf } from '../condition.ts';
import type { Definition, State } from '../definition.ts';
import { readBy } from './formula.ts';
import { on, whole, type Problem } from '../check/problem.ts';

type Access = Pick<State, 'name' | 'access'>;
const mostNamed = 5;
const shown: readonly unknown[] = [fieldAccess.read, fieldAccess.required, fieldAccess.optional];
const sees = ({ access }: Access, key: string) => shown.includes(access[key]);
const writes = ({ access }: Access, key: string) => sees({ access, name: '' }, key) && access[key] !== fieldAccess.read;

/**
 * Where somebody may work out a field that is hidden from them: a computed field shows it in another form, whether a field is shown or
 * asked for hangs on it, or a check of the form refuses by it what they write.
 */
export function sightWarnings(definition: Definition): Problem[] {
  const { fields, settings, states } = definition;
  const only = Object.fromEntries(settings.display_form.map((key) => [key, fieldAccess.read]));
  const places: Access[] = [...states, { name: '仅查看者', access: only }];
  const nameOf = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  const sourcesOf = (keys: readonly string[]) => sources(definition, keys);
  const lost = (place: Access, keys: readonly string[]) => sourcesOf(keys).filter((key) => !sees(place, key));
  const say = (where: readonly Access[], keys: readonly string[], why: string) => {
    const hidden = new Set(where.flatMap((place) => lost(place, keys)));
    const all = where.map(({ name }) => `“${name}”`);
    const at = all.slice(0, mostNamed).join('') + (all.length > mostNamed ? `等 ${all.length} 个环节` : '');
    return `${at}看不到“${[...hidden].map(nameOf).join('、')}”，${why}；不能让人推知的，请把它们一同隐藏`;
  };
  const found: Problem[] = [];
  for (const field of fields) {
    const tell = (keys: readonly string[], fits: (place: Access) => boolean, why: string) => {
      const where = places.filter((place) => fits(place) && lost(place, keys).length > 0);
      if (keys.length > 0 && where.length > 0) found.push(on(field, say(where, keys, why)));
    };
    const seen = (place: Access) => sees(place, field.key);
    const { formula, shown_when, required_when } = field;
    tell(formula ? readBy(formula) : [], seen, `却看得到由它算出的“${field.name}”，可以倒推出来`);
    tell(shown_when ? fieldsOf(shown_when) : [], seen, `“${field.name}”是否显示却取决于它，可以推知`);
    const filled = (place: Access) => writes(place, field.key);
    tell(required_when ? fieldsOf(required_when) : [], filled, `“${field.name}”是否必填却取决于它，可以推知`);
  }
  for (const { left, right, message } of settings.checks ?? []) {
    const keys = [...readBy(left), ...readBy(right)];
    const where = places.filter(
      (place) => lost(place, keys).length > 0 && sourcesOf(keys).some((key) => writes(place, key)),
    );
    if (where.length > 0) found.push(whole(say(where, keys, `却能用表单校验“${message}”反复试出来`)));
  }
  return found;
}

/** Keys of the fields that people fill in from which some fields follow. */
function sources({ fields }: Definition, keys: readonly string[]): string[] {
  const found = new Set(keys);
  const filled: string[] = [];
  for (const key of found) {
    const formula = fields.find((field) => field.key === key)?.formula;
    if (!formula) filled.push(key);
    else for (const more of readBy(formula)) found.add(more);
  }
  return filled;
}
