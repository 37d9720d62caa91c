import { NoAnswer, type Answer, type Ask } from './asking.ts';
import { wordsOf, type Life } from './lives.ts';

/** The counters of the run. */
export interface Counts {
  acknowledged: number;
  /** Requests that got no answer. */
  cut: number;
  /** Requests that were repeated under their key until they were answered. */
  repeated: number;
  /** Keys of unanswered requests that had been committed. */
  committed: Set<string>;
}

/** An unexpected answer: the step was refused. */
export class Refused extends Error {}

/** The idempotency key of the next step. */
export const requestKey = (life: Life) => `${life.key}-${life.done}`;

/**
 * Continues a life step by step until its end or until `stopped`. If an answer is missing, the next call sends the same request under the same key,
 * like a browser.
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
