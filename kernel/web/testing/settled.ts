import { afterAll, vi } from 'vitest';

// A part of a page that is still on its way when the tests of a file end would be read without a page, and fail for the file after it, too.
afterAll(() => vi.dynamicImportSettled());
