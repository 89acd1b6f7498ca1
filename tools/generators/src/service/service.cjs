const { join } = require('node:path');
const { generateFiles, logger } = require('@nx/devkit');
const { withElement, withExport, withImport, withStatement } = require('../edit.cjs');
const { spellings } = require('../names.cjs');

/** Generates a service with one use case. npm start runs it with the others. The developer adds manifests and settings. */
module.exports = (tree, { name, resource = 'item' }) => {
  if (tree.exists(`apps/${name}`)) throw new Error(`apps/${name} already exists.`);
  const service = spellings(name);
  const { version } = JSON.parse(tree.read('package.json', 'utf8'));
  generateFiles(tree, join(__dirname, 'files'), '.', { name, item: resource, service, of: spellings(resource), version, tmpl: '' });

  const edit = (path, change) => tree.write(path, change(tree.read(path, 'utf8')));
  const apps = JSON.parse(tree.read('libs/kernel/src/apps.json', 'utf8'));
  const debugPort = Math.max(...Object.values(apps).map((app) => app.debugPort)) + 1;
  edit('libs/kernel/src/apps.json', (text) =>
    text.replace(/\n\}\n$/, `,\n  "${name}": { "grpcPort": 50051, "debugPort": ${debugPort} }\n}\n`),
  );
  edit('.vscode/launch.json', (text) => withDebugger(text, name, debugPort));
  edit('docs/contributing/developing.md', (text) => withDebuggerRow(text, name, debugPort));
  edit('tools/system/src/apps.ts', (text) => withElement(text, 'settingsOf', `${name}: (wiring) => serviceSettings(wiring, '${name}')`));
  edit('libs/rpc/src/audiences.ts', (text) =>
    withElement(withElement(text, 'reachedFrom', `${name}: ['${name}']`), 'callersOf', `${name}: []`),
  );
  edit('apps/all/src/main.ts', (text) =>
    withImport(text, `import { app as ${name} } from '@sheaf/apps/${name}';`).replace(/\]\);\n$/, `, ${name}]);\n`),
  );
  const { pascal } = service;
  edit('libs/rpc/src/transport/protocol.ts', (text) => {
    const typed = withStatement(
      text,
      'WorkspacesDefinition',
      `export type ${pascal}Definition = Typed<${name}.${pascal}Definition, ${name}.${pascal}Handlers>;`,
    );
    const declared = withStatement(
      typed,
      'Workspaces',
      `export const ${pascal}: Protocol<${pascal}Definition> = protocol('${name}', '${pascal}');`,
    );
    return withImport(declared, `import type * as ${name} from '../generated/sheaf/${name}/v1/${pascal}';`);
  });
  edit('libs/rpc/src/index.ts', (text) => withExport(text, './transport/protocol', [pascal, `type ${pascal}Definition`]));

  return () => logger.info(nextSteps(name));
};

/** Copies the last configuration that attaches to an app. */
function withDebugger(text, name, port) {
  const { configurations, compounds, ...others } = JSON.parse(text);
  const last = configurations.findLastIndex(({ request }) => request === 'attach');
  const added = { ...configurations[last], name: `Attach to ${name}`, port };
  const [all, ...otherCompounds] = compounds;
  const launch = {
    ...others,
    configurations: configurations.toSpliced(last + 1, 0, added),
    compounds: [{ ...all, configurations: [...all.configurations, added.name] }, ...otherCompounds],
  };
  return `${JSON.stringify(launch, null, 2)}\n`;
}

const withDebuggerRow = (text, name, port) => text.replace(`| ${port - 1} |\n`, (row) => `${row}| \`${name}\` | ${port} |\n`);

const nextSteps = (name) => `
apps/${name} builds, and npm start runs it with the others. Next, run:
  npx nx run rpc:generate
  npx nx service-test ${name}

Edit by hand:
  tools/system/src/apps.ts            its settings, if it needs more than its port and database
  libs/rpc/src/audiences.ts           the services that it calls with the caller's token, and the apps that call it
  apps/gateway/src/config.ts, app.ts and routes/services.ts   its client, if the gateway calls it
  libs/contracts/src/events.ts        its events (docs/contributing/events.md)
  deploy/                             its manifests, Compose service and settings
npx nx test deploy-checks lists what is missing in deploy/ (docs/contributing/services.md).
`;
