/** What the bundler knows of a module. */
export interface ModuleFacts {
  code: string | null;
  importedIds: readonly string[];
}

const statement = /(?:^|[;\n}])\s*(import|export)\s*(?:([\w*\s{},$]+?)\s*from\s*)?["']([^"']+)["'];?/g;
const ownList = /export\s*\{([^}]*)\}(?!\s*from)/g;

interface Import {
  /** Whether it hands on what it takes. */
  exports: boolean;
  /** Names asked of the other module; `null` for all of it. */
  names: { there: string; here: string }[] | null;
  id: string;
}

/** What a module imports, statement by statement; all of everything where that cannot be told. */
export function importsOf({ code, importedIds: all }: ModuleFacts): Import[] {
  const found = [...(code ?? '').matchAll(statement)];
  const sources = [...new Set(found.map(([, , , source]) => source))];
  // The build tool's own additions come last and stand in no statement.
  const importedIds = all.slice(sources.length).every((id) => id.startsWith('\0')) ? all.slice(0, sources.length) : all;
  if (sources.length !== importedIds.length) return importedIds.map((id) => ({ exports: false, names: null, id }));
  return found.map(([, word, clause = '', source]) => ({
    exports: word === 'export',
    names: clause.includes('*') ? null : namesIn(clause),
    id: importedIds[sources.indexOf(source)] as string,
  }));
}

/** What must be there for the asked names of a module that only passes them on; `null` where its own code is needed. */
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
