// The launcher: all of Sheaf in the foreground, until Ctrl-C.
import { relative, resolve, sep } from 'node:path';
import { asksForHelp, help, readOptions } from './options';
import { Refusal } from './refusal';
import { type Ready, System } from './system';
import { Terminal } from './terminal';

const root = resolve(__dirname, '../../..');
const terminal = new Terminal(process.stdout, process.env);

/** Both npm and the terminal pass one Ctrl-C on to us, so the same wish arrives twice within this time. */
const ECHO_MS = 500;

async function main(): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) {
    terminal.say(help);
    return;
  }
  const system = new System({ ...readOptions(process.env, root), bundles: resolve(root, 'dist/apps'), terminal });

  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < ECHO_MS) return;
      system.kill();
      process.exit(130);
    }
    stoppingSince = performance.now();
    terminal.quiet = true;
    terminal.say('\nStopping. The data is kept. Ctrl-C again kills at once.');
    system.stop().then(
      () => process.exit(0),
      (error: unknown) => fail('Not everything could be stopped.', error),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  stopWithNpm(onSignal);

  try {
    const ready = await system.start();
    if (stoppingSince !== undefined) return;
    terminal.say(welcome(ready));
    terminal.quiet = false;
  } catch (error) {
    // Stopped while it started: what then fails is no news.
    if (stoppingSince !== undefined) return;
    if (!(error instanceof Refusal)) system.note(error);
    stoppingSince = performance.now();
    await system.stop();
    fail('Sheaf did not start.', error);
  }
}

/** npm, or the shell that it puts between, may be killed without a word to us. Whoever ended `npm start` wanted us to end too. */
function stopWithNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 200);
  watch.unref();
}

function fail(what: string, error: unknown): never {
  process.stderr.write(`\n${what} ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function welcome({ baseUrl, apiKey, paths }: Ready): string {
  // What is not a terminal is a log, where a key has no business: there the line takes it from the file.
  const key = terminal.isForPeople ? apiKey : `$(node -p 'require(${JSON.stringify(paths.credentials)}).api_key')`;
  const short = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);
  return [
    '',
    'Sheaf is ready.',
    '',
    `  API     ${baseUrl}`,
    `  Try it  curl -H "Authorization: Bearer ${key}" ${baseUrl}/auth/me`,
    '  Demo    npm run demo (in another terminal)',
    `  Log in  as the user in ${short(paths.credentials)}`,
    `  Logs    ${short(paths.log)}`,
    '  Stop    Ctrl-C',
    '',
  ].join('\n');
}

// A terminal that was closed is no reason to leave without stopping things.
process.stdout.on('error', () => undefined);
main().catch((error: unknown) => fail('Sheaf did not start.', error));
