import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '../testing/page.ts';
import { ok } from '../testing/server.ts';
import { show } from '../testing/show.tsx';
import { stamps } from '../testing/stamps.ts';
import { SheetDialog } from './SheetDialog.tsx';

const server = servedPage();

test('the import dialog counts in the unit of its rows, and names the ignored columns', async () => {
  server.answers(({ query }) =>
    ok({ total: 3, valid: 3, imported: query.get('dry_run') === 'true' ? 0 : 3, errors: [], ignored: ['籍贯'] }),
  );
  const calls = { import: stamps.upload, importErrors: stamps.upload, importTemplate: stamps.list };
  const of = { what: '印章', unit: '枚', maxRows: 500, calls };
  show(<SheetDialog of={of} refreshes={[]} onClose={() => undefined} />);
  expect(screen.getByText('.xlsx 文件，一次最多 500 枚')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('导入文件'), { target: { files: [new File(['x'], '印章.xlsx')] } });
  expect(await screen.findByText('检查通过，共 3 枚，尚未导入')).toBeTruthy();
  expect(screen.getByText('没有对应的列，不会导入：籍贯')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '导入 3 枚' }));
  expect(await screen.findByText('已导入 3 枚')).toBeTruthy();
});
