declare module '#kernel/server/product.ts' {
  interface Product {
    logNames: Readonly<Record<string, string>>;
  }
  interface ModuleDefinition {
    /** The Chinese name of its actions in the operation log, by the name under which it mounts its calls. */
    logNames?: Readonly<Record<string, string>>;
  }
}

/** Names used before a module was named after its folder; sealed rows keep them, and are found under the present one. */
const formerNames: Record<string, string> = {
  ticket: 'tickets',
  document: 'documents',
  workflow: 'workflows',
  link: 'links',
  calendar: 'calendars',
  feed: 'feeds',
};

/** The Chinese name of a module; an unknown one is returned unchanged. */
export function logName(logNames: Readonly<Record<string, string>>, module: string): string {
  const present = Object.hasOwn(formerNames, module) ? formerNames[module]! : module;
  return Object.hasOwn(logNames, present) ? logNames[present]! : module;
}

/** All names under which the log stores a module's actions. */
export const namesInLog = (module: string): string[] => [
  module,
  ...Object.keys(formerNames).filter((former) => formerNames[former] === module),
];
