import { createInterface } from 'node:readline';

/** The first line of the input; '' if there is none. */
export async function typed(): Promise<string> {
  const input = createInterface({ input: process.stdin });
  for await (const line of input) return line.trim();
  return '';
}
