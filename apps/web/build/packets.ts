import { importsOf, passedOn } from './imports.ts';
import type { ModuleFacts } from './imports.ts';

interface Modules {
  getModuleInfo(id: string): ModuleFacts | null;
}

// Each file costs a kilobyte of headers, so what one kind of screen needs at once travels in one packet. The first that
// needs a module has it; what the sign-in page needs stays as the bundler cuts it.
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

// Only a small function of each is used; what the rest of it needs is for pages with pickers of colours and with trees.
const lookedPast =
  /[\\/](antd[\\/]es[\\/]color-picker[\\/]components[\\/]ColorPresets|@rc-component[\\/]tree[\\/]es[\\/]util)\.js$/;

/**
 * Names the packet a module travels in; `null` leaves it to the bundler. `folder` is the repository's, with slashes as
 * the bundler writes them.
 */
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

/** All that must be there before the given modules can run, themselves included. */
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
