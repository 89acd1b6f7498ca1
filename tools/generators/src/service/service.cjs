const { join } = require('node:path');
const { generateFiles, logger } = require('@nx/devkit');
const { withElement, withImport } = require('../edit.cjs');
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
  edit('libs/rpc/src/transport/protocol.ts', (text) => {
    const declared = text
      .replace(
        '\nexport const Deliveries',
        `export type ${service.pascal}Definition = Typed<${name}.${service.pascal}Definition, ${name}.${service.pascal}Handlers>;\n\nexport const Deliveries`,
      )
      .replace(
        '\n/** How unary calls travel',
        `export const ${service.pascal}: Protocol<${service.pascal}Definition> = protocol('${name}', '${service.pascal}');\n\n/** How unary calls travel`,
      );
    return withImport(declared, `import type * as ${name} from '../generated/sheaf/${name}/v1/${service.pascal}';`);
  });
  edit('libs/rpc/src/index.ts', (text) =>
    text.replace(
      "} from './transport/protocol';",
      `  ${service.pascal},\n  type ${service.pascal}Definition,\n} from './transport/protocol';`,
    ),
  );

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
