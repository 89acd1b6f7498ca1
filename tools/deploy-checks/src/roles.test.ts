import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './manifests';

const script = readFileSync(join(root, 'deploy/platform/postgres/roles.sh'), 'utf8');
const launcher = readFileSync(join(root, 'tools/system/src/provision.ts'), 'utf8');

const statements = (sql: string | undefined) =>
  (sql ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:revoke|grant|alter)/.test(line));

// The services are tested with the launcher's roles: those in a cluster must have the same rights, no more and no fewer.
it('the roles of a cluster have the same privileges as the roles in tests', () => {
  const inCluster = statements(/dbname "sheaf_\$service" <<'SQL'\n([^]*?)\nSQL/.exec(script)?.[1]).map((line) =>
    line.replaceAll(':"run"', 'service'),
  );
  const inTests = statements(/owner\.query\(`([^]*?)`\);/.exec(launcher)?.[1]).map((line) =>
    line.replaceAll(/\$\{(?:run|escapeIdentifier\(database\))\}/g, 'service'),
  );
  expect(inCluster).toEqual(inTests);
  expect(inCluster).toHaveLength(8);
});

it('the roles of a cluster and of the launcher have the session settings of the services', async () => {
  const { sessionSettings } = (await import(join(root, 'libs/postgres/src/database'))) as {
    sessionSettings: Record<string, string | number>;
  };
  const inCluster = Object.fromEntries(
    [...script.matchAll(/^alter role :"run" set (\w+) = '(\w+)';$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  );
  const [, listed = ''] = /export const sessionSettings = \{([^}]*)\}/.exec(launcher) ?? [];
  const inTests = Object.fromEntries([...listed.matchAll(/\b(\w+): '(\w+)'/g)].map(([, name = '', value = '']) => [name, value] as const));
  const inCode = Object.fromEntries(Object.entries(sessionSettings).map(([name, value]) => [name, String(value)]));
  expect([inCluster, inTests]).toEqual([inCode, inCode]);
});

it('the role of submissions has its own setting as well, in a cluster and of the launcher', () => {
  const inCode = /openDatabase\(process, config, \{ (\w+): '(\w+)' \}\)/.exec(
    readFileSync(join(root, 'apps/submissions/src/app.ts'), 'utf8'),
  );
  const [, name = 'none', value = 'none'] = inCode ?? [];
  expect(script).toContain(`'alter role %I set ${name} = ${value}', :'run') where :'run' = 'sheaf_submissions'`);
  expect(launcher).toContain(`submissions: { ${name}: '${value}' },`);
});
