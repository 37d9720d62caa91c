import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const common = '/org.openoffice.Office.Common/Security/Scripting';
const inet = '/org.openoffice.Inet/Settings';
// A document may name pictures, parts and data on other servers, and the program would fetch them from this machine.
const settings: readonly (readonly [path: string, name: string, value: string])[] = [
  [common, 'BlockUntrustedRefererLinks', 'true'],
  [common, 'DisableActiveContent', 'true'],
  [common, 'DisableMacrosExecution', 'true'],
  [common, 'MacroSecurityLevel', '3'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '1'],
  // Requests that get past these settings go to a proxy that does not exist.
  [inet, 'ooInetProxyType', '2'],
  [inet, 'ooInetHTTPProxyName', '127.0.0.1'],
  [inet, 'ooInetHTTPProxyPort', '9'],
  [inet, 'ooInetHTTPSProxyName', '127.0.0.1'],
  [inet, 'ooInetHTTPSProxyPort', '9'],
  [inet, 'ooInetNoProxy', ''],
];

/** Writes a profile with which the office program follows no link of a document and runs nothing in it. */
export async function writeOfficeProfile(folder: string): Promise<void> {
  const items = settings.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  await mkdir(join(folder, 'user'), { recursive: true });
  await writeFile(
    join(folder, 'user', 'registrymodifications.xcu'),
    `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join('\n')}
</oor:items>
`,
  );
}
