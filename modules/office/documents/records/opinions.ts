import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { handlingsOf } from '#modules/workflow/tickets/service.ts';
import { means, type DocumentMeaning } from '../engine/flow.ts';
import { receiving } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';

const parts = ['propose', 'decide', 'carry', 'countersign'] as const satisfies DocumentMeaning[];
type Part = (typeof parts)[number];

/** The opinions of the steps of proposal, decision, execution and countersigning: a line for each person, `教务处 李四：同意 2026-11-20`. */
export async function opinionsIn(
  tx: Db,
  doc: Pick<Stored, 'doc_kind' | 'ticket_id' | 'co_depts'>,
): Promise<Record<Part, string[]>> {
  const found: Record<Part, string[]> = { propose: [], decide: [], carry: [], countersign: [] };
  if (doc.ticket_id === null || (doc.doc_kind !== receiving && doc.co_depts.length === 0)) return found;
  const said = (await handlingsOf(tx, doc.ticket_id)).flatMap((one) => {
    const part = parts.find((wanted) => means({ label: one.label }, wanted));
    return part && (one.missed || one.handled !== null) ? [{ ...one, part }] : [];
  });
  const people = await peopleById(
    tx,
    said.flatMap((one) => [one.assignee, one.delegate ?? []].flat()),
  );
  for (const { part, assignee, delegate, missed, suggestion, did, handled } of said) {
    const asked = people.get(assignee);
    const agent = people.get(delegate ?? 0);
    const who = agent ? `${agent.alias}（代 ${asked?.alias ?? ''}）` : (asked?.alias ?? '');
    const words = missed ? '逾期未回复' : `${suggestion || did}　${(handled ?? '').slice(0, 10)}`;
    found[part].push(`${[asked?.dept_name, who].filter(Boolean).join(' ')}：${words}`);
  }
  return found;
}

/** The opinions on a document's sheet: those entered by hand, then those of its workflow. */
export async function sheetOpinions(tx: Db, doc: Stored): Promise<Record<Part, string>> {
  const said = await opinionsIn(tx, doc);
  const after = (written: string, lines: readonly string[]) => [written, ...lines].filter(Boolean).join('\n');
  return {
    propose: after(doc.propose_opinion, said.propose),
    decide: after(doc.leader_opinion, said.decide),
    carry: after(doc.handle_result, said.carry),
    countersign: after('', said.countersign),
  };
}
