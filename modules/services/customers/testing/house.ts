import { buffer } from 'node:stream/consumers';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { contacts } from '../contract/contacts.ts';
import { customers } from '../contract/customers.ts';
import { customerImport } from '../contract/import.ts';
import { projects } from '../contract/projects.ts';

const all = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
export const everything = {
  'customer/list': [...all, 'daochu' as const],
  'customer/project': [...all],
  'customer/contact': [...all, 'daochu' as const],
};

/** Two departments with separate customers. */
export async function openHouse(app: TestOffice) {
  const sales = await app.dept('市场部');
  const other = await app.dept('科研处');
  const seller = await app.clerk(everything, { dept: sales, dataScope: 3, alias: '钱程' });
  const rival = await app.clerk(everything, { dept: other, dataScope: 3, alias: '孙远' });
  return { sales, other, seller, rival };
}

export const addCustomer = async (who: Client, name: string, more: object = {}): Promise<number> =>
  (await who.get(customers.add, { body: { name, ...more } })).id!;
export const addProject = async (who: Client, customer_id: number, name: string, more: object = {}): Promise<number> =>
  (await who.get(projects.add, { body: { customer_id, name, ...more } })).id!;
export const addContact = async (who: Client, customer_id: number, name: string, more: object = {}): Promise<number> =>
  (await who.get(contacts.add, { body: { customer_id, name, phone: '0571-8800', ...more } })).id!;

/** A sheet of customers; a line maps column titles to cells. */
export function sheetOf(lines: readonly Readonly<Record<string, string>>[]): Promise<Buffer> {
  const columns = customerImport.columns.map(({ title }) => ({
    title,
    kind: 'text' as const,
    value: (line: Readonly<Record<string, string>>) => line[title] ?? '',
  }));
  return buffer(writeSheet({ title: '客户', columns, rows: lines }));
}
export interface Told {
  code: number;
  msg: string;
  data: {
    total: number;
    valid: number;
    imported: number;
    customers: number;
    contacts: number;
    errors: { row: number; field: string; msg: string }[];
  };
}
export async function bringIn(who: Client, bytes: Buffer, dry = false): Promise<Told> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), '客户.xlsx');
  return (await (
    await who.fetch(`/api/customer/import/?dry_run=${dry}`, { method: 'POST', body: form })
  ).json()) as Told;
}
