import { OlderHistory, olderSaid } from '#kernel/server/db/primary/history.ts';
import { shownError } from '#kernel/server/log/log.ts';
import { StartupError } from '#kernel/server/process/config.ts';

/** Runs a command for operators and ends with its exit code; a refusal is printed as one sentence, a failure without the values involved. */
export function runCommand(run: () => Promise<number | void>): void {
  run().then(
    (code) => process.exit(code ?? 0),
    (error: unknown) => {
      const said =
        error instanceof OlderHistory ? olderSaid(error) : error instanceof StartupError ? error.message : null;
      console.error(said ?? shownError(error));
      process.exit(1);
    },
  );
}
