import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { Failure } from './failure';
import { isJson, leaf, column } from './leaf';
import { apps, services } from '@sheaf/kernel';
import { table } from './show';
import type { ToolContext } from './context';

/** Commands that show the state of processes and their versions, and that migrate databases. */
export function stateCommands(program: Command, context: ToolContext): void {
  const health = leaf(
    program,
    'health',
    'shows whether each process is alive and ready, which dependencies are not, and what puts accepted submissions at risk',
    'health',
  ).addOption(new Option('--url <name=url>', 'the health address of a process of your own system; can be repeated').argParser(namedUrl));
  health.action(async () => {
    const urls = health.getOptionValue('url') as Record<string, string> | undefined;
    const rows = await Promise.all(
      Object.entries(urls ?? (await context.running()).health).map(([name, url]) => healthOf(context, name, url)),
    );
    context.print(
      isJson(health)
        ? JSON.stringify({ data: rows })
        : table(rows, { process: column('name'), alive: yesNo('live'), ready: yesNo('ready'), 'not ready': column('not_ready') }),
    );
    // All copies of a service say the same, and so do services on one server.
    if (!isJson(health)) for (const warning of new Set(rows.flatMap(({ warnings }) => warnings))) context.print(`Warning: ${warning}.`);
    if (rows.some(({ ready }) => !ready)) throw new Failure('unavailable', 'Some processes are not ready.');
  });

  const versions = leaf(
    program,
    'versions',
    'shows the versions of apps, Node, PostgreSQL and NATS, and the applied migrations',
    'versions',
  );
  versions.action(async () => {
    const rows = await Promise.all(
      apps.map((app) => context.runCommand(app, ['version']).catch((error: unknown) => ({ app, error: failureOf(error) }))),
    );
    context.print(
      isJson(versions)
        ? JSON.stringify({ data: rows })
        : table<Answer>(rows, {
            app: column('app'),
            version: column('version'),
            node: column('node'),
            postgres: column('postgres'),
            nats: column('nats'),
            'migrations applied': ({ migrations }) => (migrations as { applied: string[] } | undefined)?.applied.length,
            pending: ({ migrations }) => (migrations as { pending: string[] } | undefined)?.pending,
          }),
    );
    const failed = rows.flatMap((row) => ('error' in row && typeof row.error === 'string' ? [`${String(row.app)}: ${row.error}`] : []));
    if (failed.length > 0) throw new Failure('unavailable', failed.join('\n'));
  });

  const migrate = leaf(program, 'migrate', 'applies pending migrations to all databases, as npm start does', 'migrate');
  migrate.action(async () => {
    const rows = await Promise.all(
      services.map(async (service) => {
        await context.migrate(service);
        return context.runCommand(service, ['version']);
      }),
    );
    context.print(
      isJson(migrate)
        ? JSON.stringify({ data: rows })
        : table(rows, {
            app: column('app'),
            'migrations applied': ({ migrations }) => (migrations as { applied: string[] }).applied.length,
          }),
    );
  });
}

const yesNo = (name: string) => (row: Answer) => (row[name] === true ? 'yes' : 'no');
const failureOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws Failure unless the argument has the form `name=url`. */
export function namedUrl(argument: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, url] = /^([^=]+)=(https?:\/\/.+)$/.exec(argument) ?? [];
  if (name === undefined || url === undefined)
    throw new Failure('bad_request', `--url: must have the form name=url, such as gateway=http://10.0.0.7:9090; got ${argument}`, 2);
  return { ...before, [name]: url };
}

async function healthOf(
  context: ToolContext,
  name: string,
  url: string,
): Promise<{ name: string; live: boolean; ready: boolean; not_ready: string[]; warnings: string[] }> {
  const [live, ready] = await Promise.all(
    ['/livez', '/readyz'].map((path) => context.fetchText(new URL(path, url).href).catch(() => undefined)),
  );
  const notReady = /^not ready: (.*)$/m.exec(ready?.body ?? '')?.[1]?.split(', ') ?? [];
  const warnings = [...(ready?.body ?? '').matchAll(/^warning: (.*)$/gm)].map(([, warning]) => warning ?? '');
  return { name, live: live?.status === 200, ready: ready?.status === 200, not_ready: ready ? notReady : ['no answer'], warnings };
}
