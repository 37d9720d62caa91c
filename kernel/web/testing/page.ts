import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startServer, type Answering, type Asking } from './server.ts';
import { fillGaps } from './show.tsx';

/** Each test of the file begins on an empty page, in a browser with empty storage. */
export function emptyPage(): void {
  configure({ asyncUtilTimeout: 60_000 });
  beforeEach(() => {
    fillGaps();
    localStorage.clear();
  });
  afterEach(cleanup);
}

/** An empty page with a real server for the tests of the file: the requests it received, and the answers to give from now on. */
export function servedPage(): { readonly asked: readonly Asking[]; answers(next: Answering): void } {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
  emptyPage();
  return {
    get asked() {
      return server.asked;
    },
    answers: (next) => server.answers(next),
  };
}
