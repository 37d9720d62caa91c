import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { Wall } from './Wall.tsx';

emptyPage();
afterEach(() => vi.unstubAllGlobals());

test('a wall whose size is reported after it was removed, because a search found nothing, throws no error', () => {
  const looks: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(look: () => void) {
        looks.push(look);
      }
      observe() {}
      disconnect() {}
    },
  );
  const { unmount } = render(<Wall photos={[]} onOpen={() => undefined} />);
  expect(looks).toHaveLength(1);
  unmount();
  expect(looks[0]).not.toThrow();
});
