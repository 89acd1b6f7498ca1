import { resolve } from 'node:path';
import { z } from 'zod';
import { Refusal } from '@sheaf/data-dir';

export type Options = {
  /** The only public port; 0 picks a free one. */
  port: number;
  /** Absolute path of the folder for all data. */
  dataDir: string;
  logLevel: string;
  /** Administrator access to the operator's own PostgreSQL; without it we run one. Its database name is the prefix of ours. */
  databaseUrl: string | undefined;
  /** The operator's own NATS server; without it we run one. */
  natsUrl: string | undefined;
  /** Whether the first start creates a sample form. */
  sampleForm: boolean;
  /** Whether one process hosts all apps. */
  oneProcess: boolean;
  /** The address that the HTTP port listens on; all other ports are for this machine only. */
  bindHost: string;
  /** Whether to print the link that signs the first user in; undefined where only a terminal shows it. */
  signInLink: boolean | undefined;
  /** The address at which people reach the system, if not localhost. */
  publicUrl: string | undefined;
  /** How the operator's tool is called here. */
  operatorCommand: string;
  /** The launcher's whole environment; each process gets only the variables that it needs. */
  env: NodeJS.ProcessEnv;
};

const Environment = z.object({
  PORT: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(8080),
  DATA_DIR: z.string().default('.data'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], 'must be trace, debug, info, warn, error or fatal')
    .default('info'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  NATS_URL: z.string().optional(),
  SAMPLE_FORM: z.enum(['true', 'false'], 'must be true or false').default('true'),
  PROCESSES: z.enum(['each', 'one'], 'must be each or one').default('each'),
  BIND_HOST: z.enum(['127.0.0.1', '0.0.0.0', '::'], 'must be 127.0.0.1, 0.0.0.0 or ::').default('127.0.0.1'),
  SIGN_IN_LINK: z.enum(['true', 'false'], 'must be true or false').optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  OPERATOR_COMMAND: z.string().default('npm run sheaf --'),
});

export const help = `npm start

Runs PostgreSQL, NATS and all processes of Sheaf in the foreground until Ctrl-C. The only argument is --help; settings are variables:

  PORT          the HTTP port, 0 for any free port (default 8080)
  DATA_DIR      the folder for all data (default .data)
  LOG_LEVEL     trace, debug, info, warn, error or fatal (default info)
  DATABASE_URL  administrator access to your own PostgreSQL, postgres://…; without it, Sheaf runs one
  NATS_URL      your own NATS server; without it, Sheaf runs one
  SAMPLE_FORM   false: the first start creates no sample form (default true)
  PROCESSES     one: a single process hosts all of Sheaf, with less memory; each: a process for each part (default each)
  BIND_HOST     the address that the HTTP port listens on: 127.0.0.1, 0.0.0.0 or :: (default 127.0.0.1)
  SIGN_IN_LINK  true: prints the link that signs the first user in even where no terminal shows it; false: never

The settings of the processes, listed in deploy/README.md, are passed on. To run a second system: DATA_DIR=.data2 PORT=8081 npm start
`;

/**
 * Whether the user asked for help.
 * @throws Refusal for any other argument: if `--port 8081` were ignored, Sheaf would run on an unexpected port.
 */
export function asksForHelp(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== '--help' && arg !== '-h');
  if (unknown !== undefined)
    throw new Refusal(`Unknown argument ${unknown}. Settings are variables: PORT=8081 npm start; see npm start -- --help`);
  return args.length > 0;
}

/**
 * Reads the launcher's options. A relative DATA_DIR is resolved against `root`, not the working folder.
 * @throws Refusal that names every invalid variable, without the values: some contain passwords
 */
export function readOptions(env: NodeJS.ProcessEnv, root: string): Options {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(nonEmpty);
  if (!parsed.success) {
    throw new Refusal(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'));
  }
  const { PORT, DATA_DIR, LOG_LEVEL, DATABASE_URL, NATS_URL, SAMPLE_FORM, PROCESSES, SIGN_IN_LINK, ...others } = parsed.data;
  return {
    port: PORT,
    dataDir: resolve(root, DATA_DIR),
    logLevel: LOG_LEVEL,
    databaseUrl: DATABASE_URL,
    natsUrl: NATS_URL,
    sampleForm: SAMPLE_FORM === 'true',
    oneProcess: PROCESSES === 'one',
    bindHost: others.BIND_HOST,
    signInLink: SIGN_IN_LINK === undefined ? undefined : SIGN_IN_LINK === 'true',
    publicUrl: others.PUBLIC_URL,
    operatorCommand: others.OPERATOR_COMMAND,
    env,
  };
}
