import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/files/service.ts';
import { peopleById, type PersonCard } from '#modules/people/service.ts';
import { namesFor, namesOf } from '../store/names.ts';
import { fieldAccess, stateTypeOf } from '#modules/workflows/engine/codes.ts';
import { stateOf, type Definition } from '#modules/workflows/engine/definition.ts';
import { statesToPick } from '#modules/workflows/engine/picks.ts';
import { fieldItem, withinSight } from '#modules/workflows/service.ts';
import { filesIn } from '../fields/attachments.ts';
import { nobody, peopleOf, rowOf } from './cards.ts';
import { shownValue, namedIn, visibleFields } from '../engine/fields.ts';
import { tasksAmong, toWire } from '../engine/ways/buttons.ts';
import { codesOf } from '../engine/ways/offers.ts';
import type { Detail } from '../contract/shapes.ts';
import type { Offered } from '#modules/workflows/contract/shapes.ts';
import { mainStateId, type Task } from '../engine/state.ts';
import type { Rights } from '../engine/ways/offers.ts';
import { saidByRecord, type Guarded } from '../records/records.ts';
import { hasNews } from './reading.ts';
import { lookedAt, offersTo, type OwnedOffer, type Reader } from '../visibility/delegation.ts';
import { seenHash, sinceDecided } from '../visibility/seen.ts';
import type { Stored } from '../store/store.ts';
import { startsChildren, waitsOf } from './waits.ts';
import { whyMe } from '../visibility/why-me.ts';

/** A ticket with its form as one person may see and write it, and all they may do with it now. */
export async function detailOf(
  tx: Db,
  stored: Stored & { rights: Rights; guarded: Guarded },
  reader: Reader,
): Promise<Detail> {
  const offers = offersTo(stored, reader);
  const { state, version, rev } = stored;
  const { definition } = version;
  const access = visibleFields(definition, lookedAt(stored, reader), reader.id);
  const shown = definition.fields.filter(
    (field) => (access.get(field.key) ?? fieldAccess.hidden) !== fieldAccess.hidden,
  );
  const named = await namesFor(
    tx,
    shown.flatMap((field) => namedIn(field, state.form[field.key])),
  );
  const held = shown.flatMap((field) => filesIn(field, state.form[field.key]));
  const files = await fileCards(tx, held, reader);
  const people = await peopleOf(tx, [stored]);
  const at = stateOf(definition, mainStateId(state) ?? 0);
  const said = saidByRecord(tx, stored.record);
  return {
    ...rowOf(
      tx,
      { ...stored, rev, news: hasNews(stored), unread: stored.looked === null, since: null },
      people,
      reader,
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
        const right = access.get(field.key) ?? fieldAccess.read;
        const order = definition.fields.indexOf(field) + 1;
        const item = fieldItem(
          field,
          order,
          right === fieldAccess.hidden ? fieldAccess.read : right,
          value,
          shownValue(field, value, named),
        );
        return {
          ...item,
          by_record: said.includes(field.key) && (at.kind === 'start' || item.field_attribute === fieldAccess.read),
          field_files: filesIn(field, value).flatMap((id) => files.get(id) ?? []),
          field_people: namesOf(namedIn(field, value), named),
        };
      }),
    ),
    why_me: await whyMe(tx, stored, reader, people),
    seen_hash: seenHash(stored, reader),
    since_decided: await sinceDecided(tx, stored, reader),
    actions: codesOf(offers),
    transitions: await wired(tx, stored, reader.id, offers),
    choose: statesPicked(definition, offers),
    copies: await copied(tx, stored.copies),
    ...(await waitsOf(tx, stored)),
    start_below: startsChildren(stored, reader.id),
    submitted_at: stored.submitted_at,
    finished_at: stored.finished_at,
  };
}

/** States whose people are picked with one of the buttons. */
function statesPicked(definition: Definition, offers: readonly OwnedOffer[]): Detail['choose'] {
  const here = new Set(offers.flatMap((offer) => (offer.transition ? [offer.transition.source] : [])));
  const picks = [...here].flatMap((id) => statesToPick(definition, stateOf(definition, id)));
  return picks.filter((one, index) => picks.findIndex((other) => other.state_id === one.state_id) === index);
}

/** What a person may do with a ticket, as buttons. */
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
