import { asc, eq } from 'drizzle-orm';
import { loadSharp } from '#kernel/server/files/load-sharp.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { bytesOf, filesById, type Opens } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { filesOf } from '../store/chain.ts';
import { stateInfo } from './cards.ts';
import { actionName } from '../store/log.ts';
import { load, short } from '../store/store.ts';
import { ticketLogTable } from '../tables/log.ts';

/** A person's opinion on a ticket, for a printed sheet. */
export interface Said {
  /** Id of the log row. */
  id: number;
  /** Key of the state. */
  key: string;
  state: string;
  /** `乙（代 甲）` if it was done on somebody's behalf. */
  who: string;
  dept: string;
  did: string;
  words: string;
  at: string;
  /** File of the handwritten signature. */
  signature: number | null;
  /** Ids of the opinion's files, in order. */
  files: readonly number[];
}
/** Actions that decide nothing and so are not printed. */
const unsaid = new Set(['save', 'read', 'urge', 'cc', 'comment']);

/** All opinions on a ticket in order; the caller has checked that the reader may see them. */
export async function opinionsOf(tx: Db, ticketId: number): Promise<Said[]> {
  const stored = await load(tx, ticketId, undefined, false);
  if (!stored) return [];
  const { definition } = stored.version;
  const log = ticketLogTable;
  const rows = await tx
    .select({
      id: log.id,
      at: short(log.at),
      actor: log.actor_id,
      behalf: log.on_behalf_id,
      action: log.action,
      transition_id: log.transition_id,
      from: log.from_state_id,
      words: log.suggestion,
      signature: log.signature_file_id,
      files: filesOf,
    })
    .from(log)
    .where(eq(log.ticket_id, ticketId))
    .orderBy(asc(log.seq));
  const ids = rows.flatMap((row) => [row.actor ?? [], row.behalf ?? []].flat());
  const people = await peopleById(tx, ids);
  const hidden = new Set(definition.states.filter((state) => state.hidden).map((state) => state.id));
  return rows
    .filter((row) => !unsaid.has(row.action) && !hidden.has(row.from))
    .map((row) => {
      const actor = people.get(row.actor ?? 0);
      const behalf = people.get(row.behalf ?? 0);
      const who = actor?.alias ?? '系统';
      return {
        id: row.id,
        key: definition.states.find((state) => state.id === row.from)?.key ?? '',
        state: stateInfo(definition, row.from).state_name,
        who: behalf ? `${who}（代 ${behalf.alias}）` : who,
        dept: actor?.dept_name ?? '',
        did: actionName(definition, row),
        words: row.words,
        at: (row.at ?? '').slice(0, 16),
        signature: row.signature,
        files: row.files,
      };
    });
}

/** The same with handwritten signatures as pictures and the names of files among the words, in the typesetter's format. */
export async function opinionsOnPaper(tx: Db, fileStore: Opens, ticketId: number) {
  const said = await opinionsOf(tx, ticketId);
  const held = await filesById(
    tx,
    said.flatMap((one) => [one.signature ?? [], one.files].flat()),
  );
  const opinions = [];
  for (const { signature, files, ...one } of said) {
    const file = held.get(signature ?? 0);
    const names = files.flatMap((id) => held.get(id)?.name ?? []);
    const words = [one.words, names.length > 0 && `附件：${names.join('、')}`].filter(Boolean).join('\n');
    // The typesetter only reads PNG.
    const png = file && (await loadSharp())(await bytesOf(fileStore, file)).flatten({ background: '#ffffff' });
    opinions.push({ ...one, words, signature: png ? new Uint8Array(await png.png().toBuffer()) : null });
  }
  return opinions;
}
