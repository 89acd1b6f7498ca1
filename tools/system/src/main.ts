// The launcher: runs all of Sheaf in the foreground until Ctrl-C.
import { resolve } from 'node:path';
import { fail, runInForeground } from './foreground';
import { asksForHelp, help, readOptions } from './options';
import { System } from './system';
import { Terminal } from './terminal';
import { welcome } from './welcome';

const root = resolve(__dirname, '../../..');
const terminal = new Terminal(process.stdout, process.env);

async function main(): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) {
    terminal.say(help);
    return;
  }
  const options = readOptions(process.env, root);
  const system = new System({ ...options, bundles: resolve(root, 'dist/apps'), terminal });
  const shown = { ...options, root, isInteractive: terminal.isInteractive };
  await runInForeground({ system, terminal, welcome: (ready) => welcome(ready, shown) });
}

main().catch((error: unknown) => fail('Sheaf did not start.', error));
