// npm run dev: runs the launcher on separate bundles, which are rebuilt as sources change. tools/commands/dev.mjs passes in the bundler.
import { join } from 'node:path';
import { isFree } from '@sheaf/embedded';
import { type App, apps, debugPort } from '@sheaf/kernel';
import { dataPaths, Refusal } from '@sheaf/data-dir';
import { type DevOptions, readDevOptions } from './dev/options';
import { pretty } from './dev/pretty';
import { type Bundle, Rebuilds } from './dev/rebuilds';
import { Restarts } from './dev/restarts';
import { watchSources } from './dev/watch';
import { fail, runInForeground } from './foreground';
import { type Level, wrap } from './log-lines';
import { readOptions } from './options';
import { System } from './system';
import { Terminal } from './terminal';
import { welcome } from './welcome';

export type Toolchain = {
  root: string;
  openBundle: (app: App, outDir: string) => Bundle;
  generate: () => Promise<void>;
  /** Formats a build error: location and message. */
  describe: (error: unknown, options: { colour: boolean }) => Promise<string>;
};

export function dev(toolchain: Toolchain, args: readonly string[]): void {
  const options = readDevOptions(args, {
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
  });
  if ('exitCode' in options) {
    process.exitCode = options.exitCode;
    return;
  }
  run(toolchain, options).catch((error: unknown) => fail('Sheaf did not start.', error));
}

async function run({ root, openBundle, generate, describe }: Toolchain, { json, inspected }: DevOptions): Promise<void> {
  const settings = readOptions(process.env, root);
  const terminal = json
    ? new Terminal(process.stdout, process.env, (entry) => entry.json, process.stderr)
    : new Terminal(process.stdout, process.env, pretty);
  const bundles = dataPaths(settings.dataDir).bundles;
  const log = (level: Level, text: string) => terminal.entry(wrap('dev', new Date(), level, text));

  const restarts = new Restarts((app, migrate) => system.restart(app, { migrate }), log);
  const rebuilds = new Rebuilds<App>({
    bundles: Object.fromEntries(apps.map((app) => [app, openBundle(app, join(bundles, app))])) as Record<App, Bundle>,
    generate,
    onChanged: (app, files) =>
      restarts.restart(
        app,
        files.some((file) => file.includes('/migrations/')),
      ),
    onFailed: (what, error) => {
      void describe(error, { colour: terminal.isColourful }).then((text) =>
        log('error', `${what}: the build failed, the previous version keeps running\n${text}`),
      );
    },
  });

  // Changes made while the system starts are kept until its apps can be restarted.
  let pending: string[] | undefined = [];
  let stopWatching: (() => Promise<void>) | undefined;
  const onChange = (files: string[]) => {
    if (pending) pending.push(...files);
    else void rebuilds.changed(files);
  };
  const makeBundles = () =>
    terminal.step('bundles', async () => {
      for (const app of inspected)
        if (!(await isFree(debugPort(app), '127.0.0.1')))
          throw new Refusal(`Port ${debugPort(app)}, the debugger port of ${app}, is taken.`);
      stopWatching = await watchSources(root, ['apps', 'libs', 'proto'], onChange);
      const failed = await rebuilds.buildAll();
      if (failed.length > 0) throw new Refusal(`The build of ${failed.join(', ')} failed, see above.`);
    });

  const nodeArgs = (app: App) => ['--enable-source-maps', ...(inspected.includes(app) ? [`--inspect=127.0.0.1:${debugPort(app)}`] : [])];
  const system = new System({ ...settings, bundles, terminal, makeBundles, nodeArgs });
  await runInForeground({
    system,
    terminal,
    welcome: (ready) => [welcome(ready, { ...settings, root, isInteractive: terminal.isInteractive }), ...debuggers(inspected)].join('\n'),
    onReady: () => {
      log('info', 'watching apps, libs and proto');
      const early = pending ?? [];
      pending = undefined;
      void rebuilds.changed(early);
    },
    onStop: async () => {
      await stopWatching?.();
      restarts.stop();
    },
  });
}

const debuggers = (inspected: readonly App[]): string[] =>
  inspected.length === 0 ? [] : [...inspected.map((app) => `  Debugger  ${app.padEnd(11)} 127.0.0.1:${debugPort(app)}`), ''];
