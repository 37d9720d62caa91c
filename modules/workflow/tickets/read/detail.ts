import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import { namesFor, namesOf } from '../store/names.ts';
import { actState, awayKinds, fieldAccess, fieldType, stateTypeOf } from '#modules/workflow/workflows/engine/codes.ts';
import {
  awayKindOf,
  startOf,
  stateOf,
  type Definition,
  type Field,
} from '#modules/workflow/workflows/engine/definition.ts';
import { within } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { statesToPick } from '#modules/workflow/workflows/engine/picks.ts';
import { fieldItem, withinSight } from '#modules/workflow/workflows/service.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { filesIn } from '../fields/attachments.ts';
import { recordsIn } from '../fields/records.ts';
import { opinionsOf } from './opinions.ts';
import { nobody, peopleOf, rowOf } from './cards.ts';
import { shownValue, namedIn } from '../engine/fields.ts';
import { tasksAmong, toWire } from '../engine/ways/buttons.ts';
import { codesOf } from '../engine/ways/offers.ts';
import type { Detail } from '../contract/shapes.ts';
import type { FieldItem, Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { mainStateId, type Task } from '../engine/state.ts';
import type { Rights } from '../engine/ways/offers.ts';
import { saidByRecord, unsettledAmong, type Guarded } from '../records/records.ts';
import { hasNews } from './reading.ts';
import { offersTo, sightOf, type OwnedOffer, type Reader } from '../visibility/delegation.ts';
import { seenHash, sinceDecided } from '../visibility/seen.ts';
import type { Stored } from '../store/store.ts';
import { startsChildren, waitsOf } from './waits.ts';
import { whyMe } from '../visibility/why-me.ts';

/** A ticket with its form as one person may see and write it, and all they may do with it now. */
export async function detailOf(
  tx: Db,
  stored: Stored & { rights: Rights; guarded: Guarded },
  reader: Reader,
  user: Viewer,
): Promise<Detail> {
  const offers = offersTo(stored, reader);
  const { state, version, rev } = stored;
  const { definition } = version;
  const seen = sightOf(stored, reader);
  const shown = definition.fields.flatMap((field) => {
    const right = seen.get(field.key);
    return right ? [within(field, right.columns)] : [];
  });
  const named = await namesFor(
    tx,
    shown.flatMap((field) => namedIn(field, state.form[field.key])),
  );
  const held = shown.flatMap((field) => filesIn(field, state.form[field.key]));
  const files = await fileCards(tx, held, reader);
  const records = await recordsIn(tx, shown, state.form, user);
  const said = shown.some(({ type }) => type === fieldType.opinions) ? await opinionsOf(tx, stored.id) : [];
  const logged = await fileCards(
    tx,
    said.flatMap((one) => [one.signature ?? [], one.files].flat()),
    reader,
  );
  const people = await peopleOf(tx, [stored]);
  const at = stateOf(definition, mainStateId(state) ?? 0);
  const byRecord = saidByRecord(tx, stored.record);
  const away = awayKindOf(definition);
  const shownOnly = (field: Field): Partial<FieldItem> => {
    if (field.type === fieldType.serial)
      return state.seq > 0 ? { field_value: stored.sn, field_display: stored.sn } : {};
    if (field.type === fieldType.records) return { field_records: records.get(field.key) ?? [] };
    if (field.type !== fieldType.opinions) return {};
    const of = said.filter(({ key }) => field.of_states?.includes(key) ?? key !== startOf(definition).key);
    return {
      field_opinions: of.map(({ id, state: at, who, did, words, at: when, signature, files: given }) => ({
        id,
        state: at,
        who,
        did,
        words,
        at: when,
        signature: logged.get(signature ?? 0) ?? null,
        files: given.flatMap((file) => logged.get(file) ?? []),
      })),
    };
  };
  return {
    ...rowOf(
      tx,
      { ...stored, rev, news: hasNews(stored), unread: stored.looked === null, since: null },
      people,
      reader,
      (await unsettledAmong(tx, [stored])).get(stored.id),
    ),
    looked_seq: stored.looked,
    state_info: {
      id: at.id,
      name: at.name,
      type_id: stateTypeOf(at.kind),
      enable_retreat: at.actions.includes('retreat'),
      label: at.label,
    },
    field_list: withinSight(
      shown.map((field) => {
        const value = state.form[field.key] ?? null;
        const order = definition.fields.findIndex(({ key }) => key === field.key);
        const whole = definition.fields[order]!;
        const item = fieldItem(whole, order + 1, seen.get(field.key)!, value, shownValue(field, value, named));
        return {
          ...item,
          ...shownOnly(field),
          by_record: byRecord.includes(field.key) && (at.kind === 'start' || item.field_attribute === fieldAccess.read),
          field_files: filesIn(field, value).flatMap((id) => files.get(id) ?? []),
          field_people: namesOf(namedIn(field, value), named),
        };
      }),
    ),
    record_closed: reader.formClosed ?? false,
    print_template: definition.settings.print_template ?? '',
    why_me: await whyMe(tx, stored, reader, people),
    seen_hash: seenHash(stored, reader),
    since_decided: await sinceDecided(tx, stored, reader),
    actions: codesOf(offers),
    transitions: await wired(tx, stored, reader.id, offers),
    choose: statesPicked(definition, offers),
    copies: await copied(tx, stored.copies),
    ...(await waitsOf(tx, stored)),
    start_below: startsChildren(stored, reader.id),
    copies_to: mayCopy(stored, reader.id) ? version.workflow_id : null,
    submitted_at: stored.submitted_at,
    finished_at: stored.finished_at,
    away_name: away ? awayKinds[away] : '',
    back_at: state.back_at,
  };
}

/** True if somebody may begin a copy of this ticket: one they submitted themselves, and not a module's record. */
export const mayCopy = ({ state, record }: Pick<Stored, 'state' | 'record'>, person: number): boolean =>
  state.creator === person && record === null && state.act_state !== actState.draft;

/** States whose people are chosen with one of the buttons. */
function statesPicked(definition: Definition, offers: readonly OwnedOffer[]): Detail['choose'] {
  const here = new Set(offers.flatMap((offer) => (offer.transition ? [offer.transition.source] : [])));
  const picks = [...here].flatMap((id) => statesToPick(definition, stateOf(definition, id)));
  return picks.filter((one, index) => picks.findIndex((other) => other.state_id === one.state_id) === index);
}

/** The actions a person may take on a ticket, as buttons. */
export async function wired(tx: Db, stored: Stored, person: number, offers: readonly OwnedOffer[]): Promise<Offered[]> {
  const { state, version } = stored;
  const nos = new Set(offers.flatMap(tasksAmong));
  const tasks = state.tasks.filter((task) => nos.has(task.no));
  const asked = [...tasks.map((task) => task.assignee), ...offers.flatMap((offer) => offer.owner ?? [])];
  const people = asked.length > 0 ? await peopleById(tx, asked) : new Map<number, PersonCard>();
  const named = (task: Task) =>
    task.pooled ? { username: '', alias: '待接单' } : (people.get(task.assignee) ?? nobody(task.assignee));
  const names = new Map(tasks.map((task) => [task.no, named(task)]));
  return offers.map((offer) =>
    toWire(version.definition, state, person, offer, names, people.get(offer.owner ?? 0)?.alias),
  );
}

async function copied(tx: Db, rows: Stored['copies']): Promise<Detail['copies']> {
  if (rows.length === 0) return [];
  const people = await peopleById(
    tx,
    rows.flatMap((row) => (row.from === null ? [row.user] : [row.user, row.from])),
  );
  const card = (one: number) => people.get(one) ?? nobody(one);
  return rows.map(({ user, from, note, at, read_at }) => ({
    user: card(user),
    from: from === null ? null : card(from),
    note,
    gmt_created: at,
    read_at,
  }));
}
