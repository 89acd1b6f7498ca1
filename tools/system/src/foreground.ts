import { Refusal } from '@sheaf/data-dir';
import { type Ready, type System } from './system';
import { type Terminal } from './terminal';

/** npm and the terminal both pass the same Ctrl-C on to us, so a second signal within this time is a duplicate. */
const ECHO_MS = 500;

export type Foreground = {
  system: System;
  terminal: Terminal;
  /** Returns the text to print once everything answers. */
  welcome: (ready: Ready) => string;
  /** Called after the welcome text. */
  onReady?: () => void;
  /** Called before the system stops, even during its start. */
  onStop?: () => Promise<void>;
};

/** Runs a system until Ctrl-C, and then ends this process. */
export async function runInForeground({ system, terminal, welcome, onReady, onStop = () => Promise.resolve() }: Foreground): Promise<void> {
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < ECHO_MS) return;
      system.kill();
      process.exit(130);
    }
    stoppingSince = performance.now();
    terminal.quiet = true;
    terminal.say('\nStopping. The data is kept. Press Ctrl-C again to kill all processes.');
    onStop()
      .then(() => system.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail('Some processes could not be stopped.', error),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // Even if the terminal was closed, the system must stop cleanly.
  process.stdout.on('error', () => undefined);
  stopWithNpm(onSignal);

  try {
    const ready = await system.start();
    if (stoppingSince !== undefined) return;
    terminal.say(welcome(ready));
    terminal.quiet = false;
    onReady?.();
  } catch (error) {
    // Stopped during its start: errors are expected then.
    if (stoppingSince !== undefined) return;
    if (!(error instanceof Refusal)) system.logFailure(error);
    stoppingSince = performance.now();
    await onStop();
    await system.stop();
    fail('Sheaf did not start.', error);
  }
}

/** npm, or the shell between npm and this process, may be killed without a signal to us. Ending `npm start` must end this process too. */
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

export function fail(what: string, error: unknown): never {
  process.stderr.write(`\n${what} ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
