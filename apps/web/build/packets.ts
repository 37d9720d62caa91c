import { importsOf, passedOn } from './imports.ts';
import type { ModuleFacts } from './imports.ts';

interface Modules {
  getModuleInfo(id: string): ModuleFacts | null;
}

// Each file costs a kilobyte of headers, so everything that one kind of screen needs at once is bundled in one packet. The first packet that needs a
// module contains it; modules of the sign-in page are left to the bundler.
const packets: [name: string, ...starts: string[]][] = [
  ['', 'apps/web/main.tsx', 'apps/web/public/PublicPages.tsx'],
  ['codes', 'modules/workflow/workflows/engine/codes.ts'],
  ['visitor', 'apps/web/public/MyOrder.tsx'],
  ['office', 'apps/web/shell/Office.tsx'],
  [
    'list',
    'kernel/web/kit/list/ListPage.tsx',
    'kernel/web/kit/list/columns/listColumns.ts',
    'kernel/web/kit/show/StatusTag.tsx',
    'kernel/web/kit/show/Moment.tsx',
  ],
  ['form', 'kernel/web/kit/form/FormDrawer.tsx'],
  ['tickets', 'modules/workflow/tickets/web/lists/AllPage.tsx'],
];

// Only a small function of each is used; their other dependencies are for pages with colour pickers and with trees.
const lookedPast =
  /[\\/](antd[\\/]es[\\/]color-picker[\\/]components[\\/]ColorPresets|@rc-component[\\/]tree[\\/]es[\\/]util)\.js$/;

/** Names the packet of a module; `null` leaves it to the bundler. `folder` is the repository's, with slashes as the bundler writes them. */
export function packetOf(folder: string): (id: string, modules: Modules) => string | null {
  let placed: Map<string, string> | null = null;
  return (id, modules) => {
    if (!placed) {
      placed = new Map();
      for (const [name, ...starts] of packets) {
        for (const id of needed(
          starts.map((start) => `${folder}/${start}`),
          modules,
        )) {
          if (!placed.has(id)) placed.set(id, name);
        }
      }
    }
    return placed.get(id) || null;
  };
}

/** Returns the given modules and all modules that they need before they can run. */
function needed(starts: string[], modules: Modules): Set<string> {
  const found = new Set<string>();
  const asked = new Set<string>();
  const waiting: { id: string; names: string[] | null }[] = starts.map((id) => ({ id, names: null }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, names } = next;
    const facts = modules.getModuleInfo(id);
    const key = `${id}\n${names?.join()}`;
    if (!facts || asked.has(key)) continue;
    asked.add(key);
    const through = names && passedOn(facts, names);
    if (through) waiting.push(...through);
    else if (!found.has(id)) {
      found.add(id);
      if (lookedPast.test(id)) continue;
      for (const one of importsOf(facts))
        waiting.push({ id: one.id, names: one.names?.map(({ there }) => there) ?? null });
    }
  }
  return found;
}
