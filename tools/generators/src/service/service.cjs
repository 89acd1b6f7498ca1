const { join } = require('node:path');
const { generateFiles, logger } = require('@nx/devkit');
const { withElement, withExport, withImport, withStatement } = require('../edit.cjs');
const { spellings } = require('../names.cjs');

/** Generates a service with one use case. Lists of services elsewhere are left to the developer, as they need decisions. */
module.exports = (tree, { name, resource = 'item' }) => {
  if (tree.exists(`apps/${name}`)) throw new Error(`There is an apps/${name} already.`);
  const service = spellings(name);
  generateFiles(tree, join(__dirname, 'files'), '.', { name, item: resource, service, of: spellings(resource), tmpl: '' });

  const edit = (path, change) => tree.write(path, change(tree.read(path, 'utf8')));
  edit('libs/rpc/src/audiences.ts', (text) =>
    withElement(withElement(text, 'serviceNames', `'${name}'`), 'reachedFrom', `${name}: ['${name}']`),
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

  return () => logger.info(remaining(name));
};

const remaining = (name) => `
apps/${name} builds. Now:
  npx nx run rpc:generate
  npx nx service-test ${name}

To run it with the others, and to deploy it, name it in:
  tools/system/src/apps.ts                 its ports, database and environment
  tools/commands/start.mjs, bench.mjs, sheaf.mjs and apps/e2e/project.json   the builds
  tools/sheaf/src/running-system.ts        the operator's tool
  apps/gateway/src/config.ts, main.ts and routes/services.ts   its client, if the gateway calls it
  libs/contracts/src/events.ts             eventSources, if it sends events (docs/contributing/events.md)
  deploy/services/${name}/base, deploy/platform/, deploy/compose.yaml, deploy/images.mjs, deploy/README.md
npx nx test deploy-checks compares the manifests with the code and reports what is missing (docs/contributing/services.md).
`;
