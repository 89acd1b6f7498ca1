import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { z } from 'zod';
import { logBareText } from './bare-text';
import { ConfigError, readConfig, type ProcessConfig } from './config';
import { endProcess } from './end-process';
import { Health, serveHealth } from './health';
import { createLog, type Log } from './log';
import { collectStartGarbage } from './start-garbage';
import type { Tracer } from './tracer';
import { startTracing } from './tracing';
import { ownVersions } from './version';

/** Services that every app receives at start. */
export interface Process {
  readonly name: string;
  readonly log: Log;
  readonly metrics: Registry;
  readonly health: Health;
  /** Present only if spans are collected. */
  readonly tracer?: Tracer | undefined;
  /** Registers a function to run when the process stops. They run in reverse order, since later parts use earlier ones. */
  onStop(what: string, close: () => unknown): void;
}

/** A command of an app: `node main.cjs <name>`. The process ends when its promise settles. */
export interface Command<T extends z.ZodType = z.ZodType> {
  config: T;
  run: (context: { config: z.output<T>; args: readonly string[]; log: Log }) => Promise<void>;
}

/** Exists only so that `run` infers the type of its `config`. */
export const command = <T extends z.ZodType>(config: T, run: Command<T>['run']): Command<T> => ({ config, run });

/**
 * Runs an app: `serve` without arguments, otherwise the named command. A fault in the configuration, or a failure before the app is up,
 * ends the process with exit code 1 and one clear line.
 */
export async function runApp<T extends z.ZodType<ProcessConfig>>(
  name: string,
  serving: { config: T; serve: (process: Process, config: z.output<T>) => Promise<void> },
  commands: Record<string, Command>,
): Promise<void> {
  const [wanted, ...args] = process.argv.slice(2);
  try {
    if (wanted === undefined) {
      await runService(name, readConfig(serving.config, process.env), serving.serve);
      return;
    }
    const chosen = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
    if (!chosen)
      throw new ConfigError(`${name} has the commands ${Object.keys(commands).join(', ')}; without a command it starts the service.`);
    await chosen.run({ config: readConfig(chosen.config, process.env), args, log: createLog(name, process.env.LOG_LEVEL ?? 'info') });
    await endProcess(0);
  } catch (error) {
    const log = createLog(name, 'info');
    if (error instanceof ConfigError) log.fatal(error.message);
    else log.fatal({ err: error }, 'could not start');
    await endProcess(1);
  }
}

/** Runs a serving process: starts it, reports it ready, and stops its parts in reverse order within the grace period. */
async function runService<C extends ProcessConfig>(
  name: string,
  config: C,
  serve: (process: Process, config: C) => Promise<void>,
): Promise<void> {
  const log = createLog(name, config.LOG_LEVEL);
  logBareText(log);
  const metrics = new Registry();
  // A timer measures the event loop's delay. Its default of 10 ms would be a third of the work of an idle process.
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 50 });
  const versions = ownVersions(name);
  new Gauge({
    name: 'sheaf_build_info',
    help: 'Always 1; its labels tell the versions of the app and of Node.',
    labelNames: ['app', 'version', 'node'],
    registers: [metrics],
  }).set(versions, 1);
  const health = new Health();
  const closers: { what: string; close: () => unknown }[] = [];

  let stopping: Promise<void> | undefined;
  const stop = (why: string, exitCode: number) => {
    stopping ??= (async () => {
      log.info({ why }, 'stopping');
      health.drain();
      const late = setTimeout(() => {
        log.error('grace period is over, exiting with work in progress');
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
  // Applies if a launcher started us with a channel: once the launcher is gone, for whatever reason, nothing else would stop us.
  process.once('disconnect', () => stop('the launcher is gone', 0));

  const tracing = await startTracing(name, config, log);
  // Closed last, since the other parts may still create spans while they close.
  if (tracing) closers.push({ what: 'tracing', close: () => tracing.stop() });

  const { server, port } = await serveHealth({ health, metrics, versions, host: config.BIND_HOST, port: config.HEALTH_PORT });
  closers.push({ what: 'health', close: () => server.close() });

  // Not ready until `serve` has started all its parts.
  let up = false;
  health.require('start', () => (up ? Promise.resolve() : Promise.reject(new Error('starting'))));
  await serve({ name, log, metrics, health, tracer: tracing?.tracer, onStop: (what, close) => closers.push({ what, close }) }, config);
  up = true;
  log.info({ healthPort: port, version: versions.version, node: versions.node }, 'ready');
  collectStartGarbage();
}
