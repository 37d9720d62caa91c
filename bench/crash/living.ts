import { NoAnswer, type Answer, type Ask } from './asking.ts';
import { wordsOf, type Life } from './lives.ts';

/** What the run counts. */
export interface Counts {
  acknowledged: number;
  /** Requests that got no answer. */
  cut: number;
  /** Requests sent again under their key until they were answered. */
  repeated: number;
  /** Keys of those without an answer that had been committed. */
  committed: Set<string>;
}

/** An answer that should not be: the step was refused. */
export class Refused extends Error {}

/** The idempotency key of the next step. */
export const requestKey = (life: Life) => `${life.key}-${life.done}`;

/**
 * Takes a life on from where it stands, step after step, until its end or until `stopped`. Where an answer is
 * missing, the next call sends the same again under its key, as a browser would.
 */
export async function live(ask: Ask, life: Life, counts: Counts, stopped: () => boolean): Promise<void> {
  while (life.done < life.steps.length && !stopped()) {
    const step = life.steps[life.done]!;
    const words = wordsOf(life, life.done);
    const path = step.path.replace('{id}', String(life.id)).replace('{ticket}', String(life.ticket));
    const body =
      step.method === 'DELETE' ? undefined : { ...step.body?.(life.ticket ?? 0), ...(words && { suggestion: words }) };
    if (life.asked) counts.repeated++;
    life.asked = true;
    let answer: Answer;
    try {
      answer = await ask(step.who, step.method, path, body, requestKey(life));
    } catch (error) {
      if (error instanceof NoAnswer) counts.cut++;
      throw error;
    }
    if (!isDone(answer))
      throw new Refused(`${life.kind} ${life.key} 的第 ${life.done + 1} 步没有成功：${JSON.stringify(answer)}`);
    const { id, ticket_id } = (answer.data ?? {}) as { id?: number; ticket_id?: number };
    if (life.done === 0) [life.id, life.ticket] = [id ?? null, ticket_id ?? null];
    life.done++;
    life.asked = false;
    counts.acknowledged++;
  }
}

function isDone({ code, data }: Answer): boolean {
  const { value } = (data ?? {}) as { value?: { ok?: boolean }[] };
  return code === 0 && (!Array.isArray(value) || value.every((row) => row.ok !== false));
}
