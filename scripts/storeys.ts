// The storeys are the folders of `modules/`, and imports lead down. `npm run check` runs this on the whole tree (decision 0176).
import { leadsOf, moduleOf, notCounted } from './rings.ts';

/** From the lowest to the highest. */
export const storeys = ['platform', 'workflow', 'office', 'services'] as const;
type Storey = (typeof storeys)[number];

/** Storeys whose modules may import each other only if listed here, with the reason. */
const apart: readonly Storey[] = ['office', 'services'];
export const besides: Readonly<Record<string, string>> = {
  'activities → leaders': 'An activity invites leaders and waits in their schedules.',
  'contracts → documents': 'The text of a contract is compared with its earlier versions as that of a document is.',
  'contracts → stamps': 'A contract is sealed, and its seal is asked for from its page.',
  'distributions → documents': 'It gives documents out.',
  'documents → distributions': 'The figures of documents count who has read what was given out.',
  'documents → stamps': 'A document is sealed from its page.',
  'duty → leaders': 'Whoever travels by their schedule of leaders is not put on duty.',
  'folders → documents': 'A paper is taken over from the document that issued it.',
  'meetings → leaders': 'A meeting waits in the schedules of the leaders who attend.',
  'meetings → supervision': 'A decision of a meeting becomes a supervised item, and hears of it.',
  'notices → documents': 'A notice shows a document to all.',
  'monitors → customers': 'What is watched are the projects of customers.',
  'monitors → orders': 'An incident becomes an order, and hears that it is over.',
};

const storeyOf = (path: string): string => path.split('/')[1] ?? '';
const rank = (path: string): number => storeys.indexOf(storeyOf(path) as Storey);

/** Imports of modules that lead up, or to the same storey without a reason, files outside the storeys, and reasons that are no longer needed. */
export function wrongWays(
  files: Iterable<readonly [path: string, text: string]>,
  allowed: Readonly<Record<string, string>> = besides,
): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [file, text] of files) {
    const from = moduleOf(file);
    if (from === undefined || rank(file) < 0) {
      problems.push(`${file}：模块要放在 modules/{${storeys.join(',')}}/ 之一的下面`);
      continue;
    }
    if (notCounted.test(file)) continue;
    for (const path of leadsOf(file, text)) {
      const to = moduleOf(path);
      if (to === undefined || to === from) continue;
      const way = `${from} → ${to}`;
      if (rank(path) > rank(file))
        problems.push(`${file}：${storeyOf(file)} 不能引用上层的 ${storeyOf(path)}（${path}）`);
      else if (rank(path) === rank(file) && apart.includes(storeyOf(file) as Storey)) {
        used.add(way);
        if (!Object.hasOwn(allowed, way))
          problems.push(
            `${file}：同层的 ${way} 没有说明理由（${path}），请经由产品（services.product）或写进 scripts/storeys.ts`,
          );
      }
    }
  }
  for (const way of Object.keys(allowed))
    if (!used.has(way)) problems.push(`scripts/storeys.ts：${way} 已没有引用，请删去`);
  return problems;
}

/** The modules of each storey, by name. */
function nounsOf(files: Iterable<string>): Map<string, string[]> {
  const standing = new Map<string, Set<string>>(storeys.map((storey) => [storey, new Set()]));
  for (const file of files) {
    const noun = moduleOf(file);
    if (noun !== undefined) standing.get(storeyOf(file))?.add(noun);
  }
  return new Map(Array.from(standing, ([storey, nouns]) => [storey, [...nouns].toSorted()]));
}
const drawnAs = (storey: string) => new RegExp(`(\\["modules/${storey}<br/>)([^"]*)("\\])`);

/** Storeys that the picture of the architecture does not draw with their present modules: `storey["modules/storey<br/>a · b"]`. */
export function misdrawn(picture: string, files: Iterable<string>): string[] {
  return [...nounsOf(files)].flatMap(([storey, nouns]) => {
    const drawn = drawnAs(storey).exec(picture)?.[2] ?? '';
    const named = drawn.split(/<br\/>| · /).filter(Boolean);
    const wrong = [...new Set([...named, ...nouns])].filter((noun) => !named.includes(noun) || !nouns.includes(noun));
    return wrong.length > 0
      ? [
          `docs/architecture.md：图中 ${storey} 一层与文件夹不符（${wrong.join('、')}），请运行 npm run structure -- --write`,
        ]
      : [];
  });
}

/** The number of modules in one line of the picture. */
const inLine = 8;
/** The picture with the present modules in its storeys. */
export function drawn(picture: string, files: Iterable<string>): string {
  let text = picture;
  for (const [storey, nouns] of nounsOf(files)) {
    const lines = Array.from({ length: Math.ceil(nouns.length / inLine) }, (_one, at) =>
      nouns.slice(at * inLine, (at + 1) * inLine).join(' · '),
    );
    text = text.replace(drawnAs(storey), (_all, from, _nouns, to) => `${from}${lines.join('<br/>')}${to}`);
  }
  return text;
}
