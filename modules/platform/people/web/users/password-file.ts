import { formulaLike } from '#kernel/contract/sheet/sheet.ts';

/** One-time passwords as a CSV file. The byte order mark makes spreadsheets read it as UTF-8. */
export function passwordFile(passwords: readonly { alias: string; username: string; password: string }[]): Blob {
  const cell = (text: string) => `"${(formulaLike.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const lines = passwords.map((one) => [one.alias, one.username, one.password].map(cell).join(','));
  return new Blob([`\uFEFF${['姓名,用户名,一次性密码', ...lines].join('\r\n')}`], { type: 'text/csv' });
}
