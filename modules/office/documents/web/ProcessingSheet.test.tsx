import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DocumentDetail } from '../contract/shapes.ts';
import { PaperActions } from './show/PaperActions.tsx';
import { usePrinting } from './show/printing.ts';
import { ProcessingSheet } from './show/ProcessingSheet.tsx';

const server = servedPage();
const doc = {
  id: 7,
  doc_kind: 3,
  inside: true,
  sn: 'DOC1',
  title: '签报',
  creator_info: { alias: '张三' },
  attachments: [],
  co_depts_info: [],
  opinions: { propose: '', decide: '', carry: '', countersign: '' },
} as unknown as DocumentDetail;

function Page() {
  const { record, printing, print } = usePrinting(doc.id, true);
  return (
    <>
      <PaperActions doc={doc} printing={printing} onPrint={print} />
      <ProcessingSheet doc={doc} record={record} />
    </>
  );
}

test('printing a processing sheet by button or key loads the whole handling record', async () => {
  const all = Array.from({ length: 130 }, (_, at) => ({
    id: at + 1,
    status: 1,
    state_name: '会签',
    participant_alias: `甲${at + 1}`,
    agent_alias: '',
    transition_name: '同意',
    suggestion: '同意',
    handled_at: '2026-11-20 10:00:00',
    signature: null,
    attachments: [],
  }));
  server.answers(({ query }) => {
    const page = Number(query.get('page') ?? 1);
    return ok({ value: all.slice((page - 1) * 100, page * 100), total: all.length, page, per_page: 100 });
  });
  const printed: number[] = [];
  const { container } = show(<Page />);
  const rows = () => container.querySelectorAll('.ticket-sheet > table:last-of-type tbody tr').length;
  window.print = vi.fn(() => void printed.push(rows()));
  expect(container.textContent).toContain('办理意见没有载入，请点“打印审批单”再打印');
  expect(server.asked).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: /打印审批单/ }));
  await waitFor(() => expect(printed).toEqual([130]));
  expect(container.textContent).not.toContain('没有载入');
  fireEvent(window, new Event('afterprint'));
  await waitFor(() => expect(container.textContent).toContain('没有载入'));
  expect(fireEvent.keyDown(window, { key: 'p', ctrlKey: true })).toBe(false);
  await waitFor(() => expect(printed).toEqual([130, 130]));
  expect(server.asked.map(({ query }) => query.get('page'))).toEqual(['1', '2', '1', '2']);
});
