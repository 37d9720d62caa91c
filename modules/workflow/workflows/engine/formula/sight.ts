import { fieldAccess } from '../codes.ts';
import { fieldsOf } from '../condition.ts';
import { startOf, type Definition, type Field, type State } from '../definition.ts';
import { columnHiddenIn, columnIn } from '../fields/rights.ts';
import { columnsReadBy, isComputed, readBy, sourcesOf } from './formula.ts';
import { at, on, whole, type Problem } from '../check/problem.ts';

type Access = Pick<State, 'name' | 'access' | 'columns'>;
const mostNamed = 5;
const shown: readonly unknown[] = [fieldAccess.read, fieldAccess.required, fieldAccess.optional];
const sees = ({ access }: Pick<Access, 'access'>, key: string) => shown.includes(access[key]);
const writes = ({ access }: Access, key: string) => sees({ access }, key) && access[key] !== fieldAccess.read;

/**
 * Warnings where somebody may infer a hidden field: from a computed field, from a field whose visibility or requirement depends on it, or from a
 * check that refuses their input.
 */
export function sightWarnings(definition: Definition): Problem[] {
  const { fields, settings, states } = definition;
  const only = Object.fromEntries(settings.display_form.map((key) => [key, fieldAccess.read]));
  // Mere viewers see no column that some state hides.
  const shut = fields.map(({ key, columns }) => {
    const closed = columns.filter((column) => columnHiddenIn(definition, key, column.key));
    return [key, Object.fromEntries(closed.map((column) => [column.key, fieldAccess.hidden]))] as const;
  });
  const places: Access[] = [...states, { name: '仅查看者', access: only, columns: Object.fromEntries(shut) }];
  const nameOf = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  const inputsOf = (keys: readonly string[]) => sources(definition, keys);
  const lost = (place: Access, keys: readonly string[]) => inputsOf(keys).filter((key) => !sees(place, key));
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
    const { shown_when, required_when } = field;
    tell(sourcesOf(field), seen, `却看得到由它算出的“${field.name}”，可以倒推出来`);
    tell(shown_when ? fieldsOf(shown_when) : [], seen, `“${field.name}”是否显示却取决于它，可以推知`);
    const filled = (place: Access) => writes(place, field.key);
    tell(required_when ? fieldsOf(required_when) : [], filled, `“${field.name}”是否必填却取决于它，可以推知`);
  }
  for (const { place, hidden, shown } of columnsWorkedOut(definition, places)) {
    const name = `“${place.name}”看不到“${hidden}”这一列，却看得到由它算出的“${shown.name}”，可以倒推出来`;
    found.push(on(shown.field, `${name}；不能让人推知的，请把它们一同隐藏`));
  }
  found.push(...broughtBelow(definition));
  for (const { left, right, message } of settings.checks ?? []) {
    const keys = [...readBy(left), ...readBy(right)];
    const where = places.filter(
      (place) => lost(place, keys).length > 0 && inputsOf(keys).some((key) => writes(place, key)),
    );
    if (where.length > 0) found.push(whole(say(where, keys, `却能用表单校验“${message}”反复试出来`)));
  }
  return found;
}

/** Warnings where a value computed from a hidden column is visible: another column, or a field that sums it up. */
function columnsWorkedOut({ fields }: Definition, places: readonly Access[]) {
  const isHidden = (place: Access, table: Field, key: string) => {
    const column = table.columns.find((one) => one.key === key);
    return column && sees(place, table.key) && columnIn(place, table, column) === fieldAccess.hidden
      ? column.name
      : null;
  };
  const tables = fields.filter((field) => field.columns.length > 0);
  return places.flatMap((place) => [
    ...tables.flatMap((table) =>
      table.columns.flatMap((column) => {
        if (!isComputed(column) || isHidden(place, table, column.key) !== null) return [];
        const hidden = sourcesOf(column).map((key) => isHidden(place, table, key));
        return hidden.flatMap((name) =>
          name ? { place, hidden: name, shown: { name: column.name, field: table } } : [],
        );
      }),
    ),
    ...fields.flatMap((field) => {
      if (!field.formula || !sees(place, field.key)) return [];
      const hidden = columnsReadBy(field.formula).map(([key, column]) => {
        const table = tables.find((one) => one.key === key);
        return table ? isHidden(place, table, column) : null;
      });
      return hidden.flatMap((name) => (name ? { place, hidden: name, shown: { name: field.name, field } } : []));
    }),
  ]);
}

/** Warnings for values passed to lower tickets: their creator sees them, even if hidden from the person who begins them. */
function broughtBelow(definition: Definition): Problem[] {
  const { fields, states } = definition;
  const start = startOf(definition);
  return states.flatMap((state) => {
    const { each, values = {} } = state.children ?? {};
    const lost = Object.values(values).flatMap((source) => {
      const [where, key] = source.split('.');
      const field = fields.find((one) => one.key === (where === 'row' ? each : key));
      const column = where === 'row' ? field?.columns.find((one) => one.key === key) : undefined;
      if (!field || (where === 'row' && !column)) return [];
      const seen = sees(start, field.key) && (!column || columnIn(start, field, column) !== fieldAccess.hidden);
      return seen ? [] : [(column ?? field).name];
    });
    const why = '下级工单以发起人的名义发起，发起人却看不到它；不能让人看到的，请不要带过去';
    return lost.length > 0 ? [at(state, `环节“${state.name}”把“${lost.join('、')}”带到下级工单，${why}`)] : [];
  });
}

/** Keys of the entered fields that some fields are computed from. */
function sources({ fields }: Definition, keys: readonly string[]): string[] {
  const found = new Set(keys);
  const filled: string[] = [];
  for (const key of found) {
    const field = fields.find((one) => one.key === key);
    if (!field || !isComputed(field)) filled.push(key);
    else for (const more of sourcesOf(field)) found.add(more);
  }
  return filled;
}
