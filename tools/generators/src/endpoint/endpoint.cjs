const { join } = require('node:path');
const { generateFiles, logger } = require('@nx/devkit');
const { withElement, withImport } = require('../edit.cjs');
const { formatCode } = require('../format.cjs');
const { spellings } = require('../names.cjs');

/** How the services that handle forms differ: in the scope of the method, in how a use case finds the form, and in the room that it is in. */
const services = {
  forms: { scope: 'forms:read', room: 'form' },
  hooks: { scope: 'hooks:manage', room: 'webhooks' },
};

/** GET /app/v1/forms/:id/<resource>, from the contract to the end-to-end test. */
module.exports = async (tree, { resource, service }) => {
  const of = spellings(resource);
  const { scope, room } = services[service];
  const useCase = `apps/${service}/src/${room}/get-form-${of.kebab}.ts`;
  if (tree.exists(useCase)) throw new Error(`${useCase} already exists.`);
  generateFiles(tree, join(__dirname, 'files'), '.', { of, resource, service, room, scope, tmpl: '' });
  tree.rename(`apps/${service}/src/${room}/get-form-${of.kebab}.${service}.ts`, useCase);
  for (const other of Object.keys(services)) tree.delete(`apps/${service}/src/${room}/get-form-${of.kebab}.${other}.ts`);

  const edit = (path, change) => tree.write(path, change(tree.read(path, 'utf8')));
  edit('libs/contracts/src/operations/index.ts', (text) => `${text}export * from './form-${of.kebab}';\n`);
  edit(`apps/${service}/src/server.ts`, (text) =>
    withImport(
      withElement(
        withAnswer(text),
        'doors',
        `getForm${of.pascal}: answer(api.getForm${of.pascal}, ({ form_id }, asked) => getForm${of.pascal}(deps, asked, { formId: form_id }))`,
      ),
      `import { getForm${of.pascal} } from './${room}/get-form-${of.kebab}';`,
    ),
  );

  await formatCode(tree);
  return () => logger.info(nextSteps(service, room, of));
};

/** A service may not have answered an operation yet. */
const withAnswer = (text) => {
  const named = /import \{[^}]*\banswer\b[^}]*\} from '@sheaf\/rpc';/.test(text)
    ? text
    : text.replace(/import \{(?=[^}]*\} from '@sheaf\/rpc';)/, 'import { answer,');
  return /import \* as api\b/.test(named) ? named : withImport(named, "import * as api from '@sheaf/contracts';");
};

const nextSteps = (service, room, of) => `
GET /app/v1/forms/:id/${of.kebab} returns the id of the form. Next, run:
  npx nx run rpc:proto && npx nx run rpc:generate
  npx nx run gateway:openapi && npx nx run client:generate

Edit by hand:
  libs/contracts/src/operations/form-${of.kebab}.ts   the fields of the response, each with its text and sample
  apps/${service}/src/${room}/get-form-${of.kebab}.ts           the query for them
  apps/${service}/test/scopes.test.ts           the scope of the method
  apps/${service}/test/shapes.test.ts           requests that its shape rejects
  apps/e2e/support/permissions.ts         the operation, with its permissions
docs/contributing/endpoints.md explains each step.
`;
