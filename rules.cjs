// Who may import whom: docs/architecture.md says why. Run by `npm run check`.
const test = '\\.test\\.tsx?$|/testing/|^apps/server/testing\\.ts$';
const contract = '^kernel/contract/|^modules/[^/]+/[^/]+/(contract|shapes)(/|\\.ts$)';
// What a definition of a workflow is and means: pure, read by whatever runs or draws one.
// Pure functions over contracts: the workflow language, the ticket core.
const engine = '^modules/[^/]+/[^/]+/engine(/|\\.ts$)';
// What fills an empty database may write the tables it lies above.
const filler = '^modules/[^/]+/[^/]+/(seed|demo)(/|\\.ts$)';
const tables = '^modules/[^/]+/[^/]+/tables(/|\\.ts$)';
const web = '^(kernel|apps)/web/|^modules/[^/]+/[^/]+/(web/|widgets\\.tsx$)';
// Whatever of a module is not said to run in the browser as well is the server's.
const serverSide =
  '^(kernel|apps)/server/|^modules/[^/]+/[^/]+/(?!(contract|shapes|engine|web)(/|\\.ts$)|widgets\\.tsx$)';
const server = `${serverSide}|^node_modules/(fastify|pg|drizzle-orm|graphile-worker|pino)/`;
const onlyReact = '^node_modules/(react|react-dom|react-router|antd|@ant-design/[^/]+|@tanstack/react-query)/';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Files do not need each other in a ring.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    ),
    forbid('found', 'An import leads somewhere.', {}, { couldNotResolve: true }),
    forbid(
      'kernel-knows-no-business',
      'The kernel names no module and no application.',
      { path: '^kernel/' },
      { path: '^(modules|apps)/' },
    ),
    forbid(
      'modules-know-no-application',
      'Modules are mounted by apps and do not reach back.',
      { path: '^modules/', pathNot: test },
      { path: '^apps/' },
    ),
    forbid(
      'modules-meet-at-the-door',
      "A module meets another through its contract, service or widgets only; tables may refer to another module's tables.",
      { path: '^modules/[^/]+/([^/]+)/', pathNot: [test, tables, filler, '^modules/platform/accounts/'] },
      {
        path: '^modules/',
        pathNot: [
          '^modules/[^/]+/$1/',
          contract,
          '^modules/workflow/workflows/engine/',
          '^modules/[^/]+/[^/]+/service(/|\\.ts$)',
          '^modules/[^/]+/[^/]+/widgets\\.tsx$',
        ],
      },
    ),
    forbid(
      'only-modules-are-defined',
      'What a module brings is one value in its module.ts; nobody but the list of modules reads it, and nothing else knows what all share.',
      { path: '^modules/', pathNot: [test, '^modules/[^/]+/[^/]+/module\\.ts$'] },
      { path: '^(kernel/server/product|modules/[^/]+/[^/]+/module)\\.ts$' },
    ),
    forbid(
      'accounts-and-people',
      "An account is a person's row: accounts reads and writes people's tables, and meets everybody else at the door.",
      { path: '^modules/platform/accounts/', pathNot: [test, tables] },
      {
        path: '^modules/',
        pathNot: [
          '^modules/platform/(accounts|people)/',
          contract,
          '^modules/[^/]+/[^/]+/service(/|\\.ts$)',
          '^modules/[^/]+/[^/]+/widgets\\.tsx$',
        ],
      },
    ),
    forbid(
      'tables-meet-tables',
      'Tables know tables and the kernel.',
      { path: '^modules/[^/]+/([^/]+)/tables(/|\\.ts$)' },
      { path: '^modules/', pathNot: [tables, contract, engine] },
    ),
    forbid(
      'contracts-are-pure',
      'A contract imports zod, contracts, the workflow language and pure libraries: it runs in the browser and on the server.',
      { path: contract, pathNot: test },
      { pathNot: [contract, '^modules/workflow/workflows/engine/', '^node_modules/(zod|diff|nzh)/'] },
    ),
    forbid(
      'engines-are-pure',
      'An engine is made of pure functions over contracts: no clock, no database, no organisation.',
      { path: engine, pathNot: test },
      { pathNot: [contract, engine, '^node_modules/(zod|diff|@vant/area-data)/'] },
    ),
    forbid(
      'web-stays-in-the-browser',
      'Web code never reaches the server or Node.',
      { path: web, pathNot: test },
      { path: server },
    ),
    forbid(
      'web-knows-no-node',
      'Web code never reaches Node.',
      { path: web, pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'server-knows-no-screen',
      'Server code never reaches React or the web.',
      { path: serverSide, pathNot: test },
      { path: [web, onlyReact] },
    ),
    forbid(
      'typesetting-is-pure',
      'Setting pages knows no module and no database: whoever prints hands over all that stands on the paper.',
      { path: '^modules/platform/typesetting/', pathNot: test },
      { path: ['^modules/(?!platform/typesetting/)', '^kernel/server/db/', '^node_modules/(drizzle-orm|pg|fastify)/'] },
    ),
    forbid(
      'one-way-out',
      'Other servers are asked by the guarded client and the guarded probes alone; mail and object storage have the operator’s own address.',
      { path: '^(kernel|modules|apps)/', pathNot: [test, web, '^kernel/server/outside/(outgoing|probing)\\.ts$'] },
      { path: '^node_modules/undici/|^(node:)?https?2?$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'product-without-development-packages',
      'What runs in production imports no package meant for development; what builds the pages may.',
      { path: '^(kernel|modules|apps)/', pathNot: [test, '^apps/web/build/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    ),
    forbid(
      'product-without-tests',
      'What runs in production imports no test.',
      { path: '^(kernel|modules|apps)/', pathNot: test },
      { path: test },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules/' },
    preserveSymlinks: true,
    exclude: { path: '^(dist|data|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
    },
  },
};
