import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { tracingSettings } from './tracing';

/** A whole number from the environment. */
export const whole = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int()
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

export const port = () => whole(0, 65_535);

/** `true` or `false`; other values are refused, because `no` and `0` would otherwise count as true. */
export const flag = () => z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** A comma-separated list; empty items are dropped. */
export const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

/** A JSON document of the given shape. */
export const json = <T extends z.ZodType>(shape: T) =>
  z.string().transform((text, context): z.output<T> => {
    try {
      return shape.parse(JSON.parse(text));
    } catch {
      // The messages of zod and JSON.parse could quote a secret.
      context.addIssue({ code: 'custom', message: 'must be JSON in the documented format' });
      return z.NEVER;
    }
  });

/** `host:port` of a neighbour, in any form that gRPC resolves, including `dns:///name:port`. */
export const address = () => z.string().min(1);

/** The settings of every process. */
export const ProcessConfig = z.object({
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** The address that the process listens on. */
  BIND_HOST: z.string().default('0.0.0.0'),
  /** /livez, /readyz and /metrics. */
  HEALTH_PORT: port().default(9_090),
  /** How long work in progress may continue after SIGTERM. */
  SHUTDOWN_GRACE_MS: whole(0, 600_000).default(10_000),
  ...tracingSettings,
});

export type ProcessConfig = z.output<typeof ProcessConfig>;

export class ConfigError extends Error {}

/**
 * Reads the environment into one typed object. Every setting NAME may instead come from the file named by NAME_FILE, for secrets that are
 * mounted rather than passed in the environment.
 * @throws ConfigError that names every missing or wrong variable, but not their values: some are secrets.
 */
export function readConfig<T extends z.ZodType>(shape: T, env: NodeJS.ProcessEnv): z.output<T> {
  // A manifest leaves an empty variable where nothing was filled in, so an empty one counts as not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const files = shape instanceof z.ZodObject ? readFiles(Object.keys(shape.shape), given) : { values: {}, faults: {} };
  const parsed = shape.safeParse({ ...given, ...files.values });
  if (parsed.success && Object.keys(files.faults).length === 0) return parsed.data;

  const faults = { ...files.faults };
  for (const issue of parsed.error?.issues ?? []) {
    const name = issue.path.join('.');
    const isSet = given[name] !== undefined || files.values[name] !== undefined;
    faults[name] ??= `  ${name}: ${isSet ? issue.message : 'is not set'}`;
  }
  throw new ConfigError(`The configuration is not valid:\n${Object.values(faults).join('\n')}`);
}

/** Reads the files that `<name>_FILE` variables point to, and reports a fault for each unusable one. */
function readFiles(names: readonly string[], given: NodeJS.ProcessEnv): { values: NodeJS.Dict<string>; faults: Record<string, string> } {
  const values: NodeJS.Dict<string> = {};
  const faults: Record<string, string> = {};
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      faults[name] = `  ${name}: must not be set together with ${variable}`;
      continue;
    }
    try {
      // Editors and `echo` end a file with a newline. Other whitespace may be part of a secret.
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (text !== '') values[name] = text;
      else faults[name] = `  ${variable}: the file is empty`;
    } catch (error) {
      faults[name] = `  ${variable}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
    }
  }
  return { values, faults };
}
