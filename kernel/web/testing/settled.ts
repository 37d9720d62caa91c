import { afterAll, vi } from 'vitest';

// A lazy part that is still loading when the tests of a file end would be evaluated without a page, and the next file would fail, too.
afterAll(() => vi.dynamicImportSettled());
