import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startServer, type Answering, type Asking } from './server.ts';
import { fillGaps } from './show.tsx';

/** Each test of the file begins on an empty page, in a browser that remembers nothing. */
export function emptyPage(): void {
  configure({ asyncUtilTimeout: 60_000 });
  beforeEach(() => {
    fillGaps();
    localStorage.clear();
  });
  afterEach(cleanup);
}

/** The same, and a real server for the tests of the file: what it was asked, and what it answers from now on. */
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
