const { join } = require('node:path');
const { generateFiles, logger } = require('@nx/devkit');
const { withElement, withImport } = require('../edit.cjs');
const { spellings } = require('../names.cjs');

/** How the services that handle forms differ: in the scope of the method, in how a use case finds the form, and in the room that it is in. */
const services = {
  forms: { scope: 'forms:read', protocol: 'Forms', room: 'form' },
  hooks: { scope: 'hooks:manage', protocol: 'Hooks', room: 'webhooks' },
};

/** GET /app/v1/forms/:id/<resource>, from the contract to the end-to-end test. */
module.exports = (tree, { resource, service }) => {
  const of = spellings(resource);
  const { scope, protocol, room } = services[service];
  const useCase = `apps/${service}/src/${room}/get-form-${of.kebab}.ts`;
  if (tree.exists(useCase)) throw new Error(`${useCase} already exists.`);
  generateFiles(tree, join(__dirname, 'files'), '.', { of, resource, service, room, scope, tmpl: '' });
  tree.rename(`apps/${service}/src/${room}/get-form-${of.kebab}.${service}.ts`, useCase);
  for (const other of Object.keys(services)) tree.delete(`apps/${service}/src/${room}/get-form-${of.kebab}.${other}.ts`);

  const edit = (path, change) => tree.write(path, change(tree.read(path, 'utf8')));
  edit('libs/contracts/src/index.ts', (text) => `${text}export * from './app/form-${of.kebab}';\n`);
  edit(`proto/sheaf/${service}/v1/${service}.proto`, (text) => withMethod(text, protocol, of.pascal));
  edit(`apps/${service}/src/server.ts`, (text) =>
    withImport(
      withElement(
        withScopes(text),
        'doors',
        `getForm${of.pascal}: open(clientsWith('${scope}'), shapes.getForm${of.pascal}, ({ form_id }, asked) =>
  getForm${of.pascal}(deps, asked, { formId: form_id }),
)`,
      ),
      `import { getForm${of.pascal} } from './${room}/get-form-${of.kebab}';`,
    ),
  );
  edit(`apps/${service}/src/shapes.ts`, (text) => `${text}\nexport const getForm${of.pascal} = z.object({ form_id: id() });\n`);
  edit('apps/gateway/src/routes/app/index.ts', (text) =>
    withImport(withElement(text, 'app', `...form${of.pascal}(services)`), `import { form${of.pascal} } from './form-${of.kebab}';`),
  );
  edit('apps/gateway/src/openapi/operations.ts', (text) =>
    withElement(text, 'operations', `'GET /app/v1/forms/:id/${of.kebab}': ['getForm${of.pascal}', 'Returns the ${of.spaced} of a form.']`),
  );
  edit('apps/gateway/src/openapi/described-schemas.ts', (text) =>
    withElement(text, 'schemaDescriptions', `Form${of.pascal}: 'The ${of.spaced} of a form.'`),
  );

  return () => logger.info(nextSteps(service, room, of));
};

const withMethod = (text, protocol, name) => {
  const start = text.indexOf(`service ${protocol} {`);
  const end = text.indexOf('\n}', start);
  if (start < 0 || end < 0) throw new Error(`There is no service ${protocol} in the proto.`);
  const method = `\n\n  rpc GetForm${name}(GetForm${name}Request) returns (Form${name}) { option idempotency_level = NO_SIDE_EFFECTS; }`;
  const messages = `\nmessage GetForm${name}Request {\n  string form_id = 1;\n}\n\nmessage Form${name} {\n  string form_id = 1;\n}\n`;
  return `${text.slice(0, end)}${method}${text.slice(end)}${messages}`;
};

const withScopes = (text) =>
  /\bclientsWith\b/.test(text)
    ? text
    : text.replace(/import \{ (.*) \} from '@sheaf\/rpc';/, "import { clientsWith, $1 } from '@sheaf/rpc';");

const nextSteps = (service, room, of) => `
GET /app/v1/forms/:id/${of.kebab} returns the id of the form. Next, run:
  npx nx run rpc:generate
  npx nx run gateway:openapi && npx nx run client:generate

Edit by hand:
  libs/contracts/src/app/form-${of.kebab}.ts and the proto     the fields of the response
  apps/${service}/src/${room}/get-form-${of.kebab}.ts          the query for them
  apps/gateway/src/openapi/              a description of the operation and of each property, and an example
  apps/${service}/test/scopes.test.ts           the scope of the method
  apps/${service}/test/shapes.test.ts           requests that its shape rejects
  apps/e2e/support/permissions.ts         the operation, with its permissions
docs/contributing/endpoints.md explains each step.
`;
