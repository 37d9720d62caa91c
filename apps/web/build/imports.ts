/** The bundler's facts about a module. */
export interface ModuleFacts {
  code: string | null;
  importedIds: readonly string[];
}

const statement = /(?:^|[;\n}])\s*(import|export)\s*(?:([\w*\s{},$]+?)\s*from\s*)?["']([^"']+)["'];?/g;
const ownList = /export\s*\{([^}]*)\}(?!\s*from)/g;

interface Import {
  /** True if the statement re-exports what it imports. */
  exports: boolean;
  /** Names imported from the other module; `null` for all of them. */
  names: { there: string; here: string }[] | null;
  id: string;
}

/** The imports of a module, statement by statement; everything from everywhere if that cannot be determined. */
export function importsOf({ code, importedIds: all }: ModuleFacts): Import[] {
  const found = [...(code ?? '').matchAll(statement)];
  const sources = [...new Set(found.map(([, , , source]) => source))];
  // The build tool's own additions come last and appear in no statement.
  const importedIds = all.slice(sources.length).every((id) => id.startsWith('\0')) ? all.slice(0, sources.length) : all;
  if (sources.length !== importedIds.length) return importedIds.map((id) => ({ exports: false, names: null, id }));
  return found.map(([, word, clause = '', source]) => ({
    exports: word === 'export',
    names: clause.includes('*') ? null : namesIn(clause),
    id: importedIds[sources.indexOf(source)] as string,
  }));
}

/** The modules and names needed for the requested names of a module that only re-exports them; `null` if its own code is needed. */
export function passedOn(facts: ModuleFacts, asked: readonly string[]): { id: string; names: string[] }[] | null {
  const imports = importsOf(facts);
  const own = [...(facts.code ?? '').matchAll(ownList)].flatMap(([, list = '']) => namesIn(`{${list}}`));
  const found = asked.map((name) => {
    const direct = imports.find((one) => one.exports && one.names?.some(({ here }) => here === name));
    if (direct) return source(direct, name);
    const local = own.find(({ here }) => here === name)?.there;
    const taken = imports.find((one) => !one.exports && one.names?.some(({ here }) => here === local));
    if (taken && local) return source(taken, local);
    const all = imports.filter((one) => one.exports && one.names === null);
    const declared = new RegExp(`export (const|let|function|class|async function) ${name}\\b`).test(facts.code ?? '');
    return all.length > 0 && !local && !declared && name !== 'default'
      ? all.map(({ id }) => ({ id, names: [name] }))
      : null;
  });
  return found.some((one) => one === null) ? null : found.flatMap((one) => one ?? []);
}

function source({ names, id }: Import, here: string) {
  return [{ id, names: (names ?? []).filter((one) => one.here === here).map(({ there }) => there) }];
}

function namesIn(clause: string): { there: string; here: string }[] {
  const inside = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  const named = inside.split(',').flatMap((one) => {
    const [there, here] = one.trim().split(/\s+as\s+/);
    return there ? [{ there, here: here ?? there }] : [];
  });
  const own = clause
    .replace(/\{[^}]*\}/, '')
    .replace(',', '')
    .trim();
  return own ? [...named, { there: 'default', here: own }] : named;
}
