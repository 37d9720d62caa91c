import { ConfigError, configTable, readConfig } from '#kernel/server/process/config.ts';
import type { Config } from '#kernel/server/process/config.ts';
import { findBrowser } from '../../scripts/find-browser.ts';
import {
  checkConfig,
  checkDataDir,
  checkDatabase,
  checkDesktop,
  checkFonts,
  checkNode,
  checkPing,
} from './doctor-checks.ts';
import type { Finding } from './finding.ts';

const marks: Record<Finding['level'], string> = { ok: '正常', warn: '注意', fail: '失败' };

/** The width of a text in terminal columns: Chinese characters take two. */
const widthOf = (text: string) => [...text].reduce((sum, char) => sum + (/[\u2e80-\uffef]/.test(char) ? 2 : 1), 0);
const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)));

function printTable(config: Config): void {
  const rows = configTable(config);
  const [first, second] = [
    Math.max(...rows.map((row) => widthOf(row.name))),
    Math.max(...rows.map((row) => widthOf(row.means))),
  ];
  for (const row of rows) console.log(`  ${pad(row.name, first)}  ${pad(row.means, second)}  ${row.value}`);
}

async function examine(config: Config): Promise<Finding[]> {
  return [
    ...checkNode(process.versions.node),
    ...checkConfig(config),
    ...checkDataDir(config.dataDir),
    ...checkFonts(config.fontDir),
    ...(await checkDatabase(config)),
    ...(await checkPing(config.monitorPlaces)),
    ...(await checkDesktop(findBrowser())),
  ];
}

/** Prints settings and findings; resolves to the exit code, 1 if something failed. */
async function main(): Promise<number> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return 1;
  }
  console.log('配置');
  printTable(config);
  console.log('\n检查');
  const findings = await examine(config);
  for (const { level, text } of findings) console.log(`  ${marks[level]}  ${text}`);
  const failed = findings.filter(({ level }) => level === 'fail').length;
  const warned = findings.filter(({ level }) => level === 'warn').length;
  console.log(`\n${failed > 0 ? `${failed} 项失败` : '没有失败的检查'}，${warned} 项需要注意。`);
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main();
