import { CallFailed } from '#kernel/web/failure.ts';

/** Most who sign in are never asked to prove any work. */
const solved = async () => (await import('./solve-challenge.ts')).solveFresh();

/** Runs an attempt, with a solved challenge where one is asked for before anything was tried (code 4029). */
export async function proving<T>(prove: boolean, attempt: (challenge?: string) => Promise<T>): Promise<T> {
  try {
    return await attempt(prove ? await solved() : undefined);
  } catch (error) {
    if (prove || !(error instanceof CallFailed) || error.code === -1 || !wantsChallenge(error)) throw error;
    return attempt(await solved());
  }
}

export function wantsChallenge(error: unknown): boolean {
  return (
    error instanceof CallFailed && (error.data as { challenge_needed?: boolean } | null)?.challenge_needed === true
  );
}
