import { CallFailed } from '#kernel/web/failure.ts';

/** Most people who sign in are never asked for a proof. */
const solved = async (work: number) => (await import('./solve-challenge.ts')).solveFresh(work);

/** Runs an attempt, with a solved challenge if one is required in advance (code 4029). `work` is the value of the previous reply. */
export async function proving<T>(work: number, attempt: (challenge?: string) => Promise<T>): Promise<T> {
  try {
    return await attempt(work > 0 ? await solved(work) : undefined);
  } catch (error) {
    const asked = workWanted(error);
    if (asked <= work || (error as CallFailed).code === -1) throw error;
    return attempt(await solved(asked));
  }
}

/** The work required for the next try; 0 for none. */
export function workWanted(error: unknown): number {
  const data =
    error instanceof CallFailed ? (error.data as { challenge_needed?: boolean; work?: number } | null) : null;
  return data?.challenge_needed ? (data.work ?? 1) : 0;
}
