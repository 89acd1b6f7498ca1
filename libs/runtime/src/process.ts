import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { z } from 'zod';
import { logBareText } from './bare-text';
import { ConfigError, readConfig, type ProcessConfig } from './config';
import { endProcess } from './end-process';
import { Health, serveHealth } from './health';
import { createLog, type Log } from './log';
import { ownSettings } from './own-settings';
import { collectStartGarbage } from './start-garbage';
import { closeInTurn } from './stopping';
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

type AppConfig = z.ZodObject & z.ZodType<ProcessConfig>;

/** A program that a process runs, alone or beside others. */
export interface App<T extends AppConfig = AppConfig> {
  name: string;
  config: T;
  serve(process: Process, config: z.output<T>): Promise<void>;
  commands: Record<string, Command>;
}

/** Exists only so that `serve` infers the type of its `config`. */
export const asApp = <T extends AppConfig>(app: App<T>): App => app;

/**
 * Runs an app: it serves without arguments, otherwise the named command runs. A fault in the configuration, or a failure before the app is
 * up, ends the process with exit code 1 and one clear line.
 */
export async function runApp(app: App): Promise<void> {
  const { name, commands } = app;
  const [wanted, ...args] = process.argv.slice(2);
  await untilUp(name, async () => {
    if (wanted === undefined) {
      await serveTogether(name, [{ app, env: process.env }]);
      return;
    }
    const chosen = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
    if (!chosen)
      throw new ConfigError(`${name} has the commands ${Object.keys(commands).join(', ')}; without a command it starts the service.`);
    await chosen.run({ config: readConfig(chosen.config, process.env), args, log: createLog(name, process.env.LOG_LEVEL ?? 'info') });
    await endProcess(0);
  });
}

/**
 * Runs several apps in this process. Each has its own settings (see `ownSettings`), log lines, health and metrics, and they call each other as
 * they would across processes. If one of them fails to start or throws where nobody catches it, the process ends with exit code 1.
 * @param name of the process, in the log lines that belong to no app
 */
export async function runApps(name: string, apps: readonly App[]): Promise<void> {
  await untilUp(name, () => {
    if (process.argv.length > 2) throw new ConfigError(`${name} has no commands: the bundles of the single apps have them.`);
    const names = apps.map((app) => app.name);
    return serveTogether(
      name,
      apps.map((app) => ({ app, env: ownSettings(app.name, names, process.env) })),
    );
  });
}

async function untilUp(name: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    await giveUp(createLog(name, 'info'), error);
  }
}

async function giveUp(log: Log, error: unknown): Promise<never> {
  if (error instanceof ConfigError) log.fatal(error.message);
  else log.fatal({ err: error }, 'could not start');
  return endProcess(1);
}

/** One of the apps that this process serves. */
interface Served {
  app: App;
  config: ProcessConfig;
  log: Log;
  metrics: Registry;
  health: Health;
  closers: { what: string; close: () => unknown }[];
}

/** Serves apps until the process is told to stop; then they stop within the longest of their grace periods. */
async function serveTogether(name: string, apps: readonly { app: App; env: NodeJS.ProcessEnv }[]): Promise<void> {
  const served = apps.map(({ app, env }): Served => {
    const config = readConfigOf(app, env, apps.length > 1);
    return { app, config, log: createLog(app.name, config.LOG_LEVEL), metrics: new Registry(), health: new Health(), closers: [] };
  });
  const log = served.length === 1 && served[0] ? served[0].log : createLog(name, 'info');
  logBareText(log);
  // The figures of the process itself are told once, by its first app. A timer measures the event loop's delay. Its default of 10 ms would be a
  // third of the work of an idle process.
  if (served[0]) collectDefaultMetrics({ register: served[0].metrics, eventLoopMonitoringPrecision: 50 });

  let stopping: Promise<void> | undefined;
  const stop = (why: string, exitCode: number) => {
    stopping ??= (async () => {
      for (const each of served) {
        each.log.info({ why }, 'stopping');
        each.health.drain();
      }
      const late = setTimeout(
        () => {
          log.error('grace period is over, exiting with work in progress');
          process.exit(exitCode);
        },
        Math.max(...served.map(({ config }) => config.SHUTDOWN_GRACE_MS)),
      );
      late.unref();
      await closeInTurn(served.map((each) => ({ ...nameAndCalls(each.app), close: () => close(each) })));
      process.exit(exitCode);
    })();
  };

  process.once('SIGTERM', () => stop('SIGTERM', 0));
  process.once('SIGINT', () => stop('SIGINT', 0));
  // Applies if a launcher started us with a channel: once the launcher is gone, for whatever reason, nothing else would stop us.
  process.once('disconnect', () => stop('the launcher is gone', 0));

  await Promise.all(served.map(start));
  collectStartGarbage();
}

/** @throws ConfigError that names the app, if several could be meant */
function readConfigOf({ name, config }: App, env: NodeJS.ProcessEnv, isOneOfSeveral: boolean): ProcessConfig {
  try {
    return readConfig(config, env);
  } catch (error) {
    if (isOneOfSeveral && error instanceof ConfigError) throw new ConfigError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Starts an app and reports it ready. */
async function start({ app, config, log, metrics, health, closers }: Served): Promise<void> {
  const { name } = app;
  const versions = ownVersions(name);
  new Gauge({
    name: 'sheaf_build_info',
    help: 'Always 1; its labels tell the versions of the app and of Node.',
    labelNames: ['app', 'version', 'node'],
    registers: [metrics],
  }).set(versions, 1);
  try {
    const tracing = await startTracing(name, config, log);
    // Closed last, since the other parts may still create spans while they close.
    if (tracing) closers.push({ what: 'tracing', close: () => tracing.stop() });

    const { server, port } = await serveHealth({ health, metrics, versions, host: config.BIND_HOST, port: config.HEALTH_PORT });
    closers.push({ what: 'health', close: () => server.close() });

    // Not ready until `serve` has started all its parts.
    let up = false;
    health.require('start', () => (up ? Promise.resolve() : Promise.reject(new Error('starting'))));
    await app.serve(
      { name, log, metrics, health, tracer: tracing?.tracer, onStop: (what, close) => closers.push({ what, close }) },
      config,
    );
    up = true;
    log.info({ healthPort: port, version: versions.version, node: versions.node }, 'ready');
  } catch (error) {
    await giveUp(log, error);
  }
}

/** Stops the parts of an app in reverse order. */
async function close({ closers, log }: Served): Promise<void> {
  for (const { what, close } of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error, what }, 'closing failed');
    }
  }
  log.info('stopped');
}

/** An app calls those whose addresses are among its settings. */
const nameAndCalls = ({ name, config }: App): { name: string; calls: string[] } => ({
  name,
  calls: Object.keys(config.shape).flatMap((setting) => /^([A-Z]+)_ADDR$/.exec(setting)?.[1]?.toLowerCase() ?? []),
});
