import { collectDefaultMetrics, Registry } from 'prom-client';
import type { z } from 'zod';
import { ConfigError, readConfig, type ProcessConfig } from './config';
import { endProcess } from './end-process';
import { Health, serveHealth } from './health';
import { createLog, type Log } from './log';
import type { Tracer } from './tracer';
import { startTracing } from './tracing';

/** What a process of ours is given to live in. */
export interface Process {
  readonly name: string;
  readonly log: Log;
  readonly metrics: Registry;
  readonly health: Health;
  /** Where spans are collected. */
  readonly tracer?: Tracer | undefined;
  /** Closes something when the process stops. The last one added is closed first, as it uses what came before it. */
  onStop(what: string, close: () => unknown): void;
}

/** One way to run an app: `node main.cjs <name>`. It ends when its promise does. */
export interface Command<T extends z.ZodType = z.ZodType> {
  config: T;
  run: (context: { config: z.output<T>; args: readonly string[]; log: Log }) => Promise<void>;
}

/** Only there to let `run` see the type of its `config`. */
export const command = <T extends z.ZodType>(config: T, run: Command<T>['run']): Command<T> => ({ config, run });

/**
 * Runs an app: `serve` without arguments, else the command that is named. A fault in the configuration, or a failure before the app
 * is up, ends the process with 1 and one clear line.
 */
export async function runApp<T extends z.ZodType<ProcessConfig>>(
  name: string,
  serving: { config: T; serve: (own: Process, config: z.output<T>) => Promise<void> },
  commands: Record<string, Command>,
): Promise<void> {
  const [wanted, ...args] = process.argv.slice(2);
  try {
    if (wanted === undefined) {
      await live(name, readConfig(serving.config, process.env), serving.serve);
      return;
    }
    const chosen = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
    if (!chosen) throw new ConfigError(`${name} knows the commands ${Object.keys(commands).join(', ')}; without one it serves.`);
    await chosen.run({ config: readConfig(chosen.config, process.env), args, log: createLog(name, process.env.LOG_LEVEL ?? 'info') });
    await endProcess(0);
  } catch (error) {
    const log = createLog(name, 'info');
    if (error instanceof ConfigError) log.fatal(error.message);
    else log.fatal({ err: error }, 'could not start');
    await endProcess(1);
  }
}

/** The life of a process that serves: up, ready, and down again in order within the grace period. */
async function live<C extends ProcessConfig>(name: string, config: C, serve: (own: Process, config: C) => Promise<void>): Promise<void> {
  const log = createLog(name, config.LOG_LEVEL);
  const metrics = new Registry();
  // The delay of the event loop is measured by a timer. The default is one of 10 ms: a third of what a process at rest does.
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 50 });
  const health = new Health();
  const closers: { what: string; close: () => unknown }[] = [];

  let stopping: Promise<void> | undefined;
  const stop = (why: string, exitCode: number) => {
    stopping ??= (async () => {
      log.info({ why }, 'stopping');
      health.drain();
      const late = setTimeout(() => {
        log.error('the grace period is over, what is still open is cut off');
        process.exit(exitCode);
      }, config.SHUTDOWN_GRACE_MS);
      late.unref();
      for (const { what, close } of closers.reverse()) {
        try {
          await close();
        } catch (error) {
          log.error({ err: error, what }, 'closing failed');
        }
      }
      log.info('stopped');
      process.exit(exitCode);
    })();
  };

  process.once('SIGTERM', () => stop('SIGTERM', 0));
  process.once('SIGINT', () => stop('SIGINT', 0));
  // Started with a channel to a launcher: when that is gone, however it went, nobody is left to stop us.
  process.once('disconnect', () => stop('the launcher is gone', 0));
  // Whatever was under way is in an unknown state; a fresh process is not, and everything that matters is in the database.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(1);
  });

  const tracing = await startTracing(name, config, log);
  // At the very end, as whatever else is closed may still make spans.
  if (tracing) closers.push({ what: 'tracing', close: () => tracing.stop() });

  const { server, port } = await serveHealth({ health, metrics, host: config.BIND_HOST, port: config.HEALTH_PORT });
  closers.push({ what: 'health', close: () => server.close() });

  // Not ready until all of `serve` has come up.
  let up = false;
  health.require('start', () => (up ? Promise.resolve() : Promise.reject(new Error('starting'))));
  await serve({ name, log, metrics, health, tracer: tracing?.tracer, onStop: (what, close) => closers.push({ what, close }) }, config);
  up = true;
  log.info({ healthPort: port }, 'ready');
}
