import { Refusal } from './refusal';
import { type Ready, type System } from './system';
import { type Terminal } from './terminal';

/** Both npm and the terminal pass one Ctrl-C on to us, so the same wish arrives twice within this time. */
const ECHO_MS = 500;

export type Foreground = {
  system: System;
  terminal: Terminal;
  /** What is printed once everything answers. */
  welcome: (ready: Ready) => string;
  /** Called after that. */
  onReady?: () => void;
  /** Called before the system stops, also while it starts. */
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
    terminal.say('\nStopping. The data is kept. Ctrl-C again kills at once.');
    onStop()
      .then(() => system.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail('Not everything could be stopped.', error),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // A terminal that was closed is no reason to leave without stopping things.
  process.stdout.on('error', () => undefined);
  stopWithNpm(onSignal);

  try {
    const ready = await system.start();
    if (stoppingSince !== undefined) return;
    terminal.say(welcome(ready));
    terminal.quiet = false;
    onReady?.();
  } catch (error) {
    // Stopped while it started: what then fails is no news.
    if (stoppingSince !== undefined) return;
    if (!(error instanceof Refusal)) system.note(error);
    stoppingSince = performance.now();
    await onStop();
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

export function fail(what: string, error: unknown): never {
  process.stderr.write(`\n${what} ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
