import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { maxPerPage } from '#kernel/contract/shapes.ts';
import { send } from '#kernel/web/client.ts';
import { documentRecords, type DocumentRecord } from '../../contract/records.ts';

/** The whole handling record, the oldest first. */
async function wholeRecord(document_id: number): Promise<DocumentRecord[]> {
  const all: DocumentRecord[] = [];
  for (let page = 1; ; page += 1) {
    const query = { document_id, per_page: maxPerPage, page, desc: false };
    const { value } = await send(documentRecords.ticketLog, { query });
    all.push(...value);
    if (value.length < maxPerPage) return all;
  }
}

/**
 * Prints a document's sheet: the handling record is loaded for each print, by button or Ctrl+P, and kept until it is printed. `printable`:
 * the reader has a sheet of it.
 */
export function usePrinting(id: number, printable: boolean) {
  const { data: record, isPending: printing, mutate, reset } = useMutation({ mutationFn: wholeRecord });
  useEffect(() => {
    if (!record) return;
    // Images that are not loaded yet would be missing in print.
    const signatures = document.querySelectorAll<HTMLImageElement>('.ticket-sheet img');
    void Promise.allSettled([...signatures].map((one) => one.decode())).then(() => window.print());
  }, [record]);
  useEffect(() => {
    if (!printable) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      mutate(id);
    };
    window.addEventListener('keydown', pressed);
    window.addEventListener('afterprint', reset);
    return () => {
      window.removeEventListener('keydown', pressed);
      window.removeEventListener('afterprint', reset);
    };
  }, [id, mutate, printable, reset]);
  return { record, printing, print: () => mutate(id) };
}
