import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { ConfigError, readConfig } from './config';
import { endProcess } from './end-process';
import { type Command, command } from './process';

/** The result of a command: one line of JSON on standard output. */
type Answer = Record<string, unknown>;

/** A command for programs and people. */
export interface JsonCommand extends Command {
  /** @returns what it prints. @throws UsageError or Problem that tells why it refuses */
  answer: (args: readonly string[]) => Promise<Answer>;
}

interface JsonCommandParts<C extends z.ZodObject, A extends z.ZodObject> {
  /** The settings that it reads from the environment. */
  config: C;
  /** Its options by name, without the dashes. A boolean option takes no value. */
  options: A;
  run: (context: { config: z.output<C>; options: z.output<A> }) => Promise<Answer>;
  /** Converts an unexpected error to a Problem. */
  problemOf?: (thrown: unknown) => Problem;
}

/**
 * Makes a command for programs and people; standard output holds only its result. A refusal is one line of JSON on standard error,
 * `{"error": {"code", "message"}}`, with exit code 1, or 2 for invalid options.
 */
export function jsonCommand<C extends z.ZodObject, A extends z.ZodObject>({
  config,
  options,
  run,
  problemOf = Problem.from,
}: JsonCommandParts<C, A>): JsonCommand {
  const answer = async (args: readonly string[]) => {
    const given = readOptions(options, args);
    return run({ config: readConfig(config, process.env), options: given });
  };
  const printing: Command = command(z.object({}), async ({ args }) => {
    try {
      process.stdout.write(`${JSON.stringify(await answer(args))}\n`);
    } catch (error) {
      const { code, message } = refusalOf(error, problemOf);
      process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
      await endProcess(error instanceof UsageError ? 2 : 1);
    }
  });
  return { ...printing, answer };
}

/** The options of a command are not valid. */
export class UsageError extends ConfigError {}

/** @throws UsageError that names each missing, wrong or unknown option. */
export function readOptions<A extends z.ZodObject>(shape: A, args: readonly string[]): z.output<A> {
  const shapes = Object.entries<z.core.$ZodType>(shape.shape);
  const names = shapes.map(([name]) => name);
  const known = Object.fromEntries(shapes.map(([name, of]) => [name, { type: isFlag(of) ? ('boolean' as const) : ('string' as const) }]));
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true });

  const faults: string[] = [];
  const given: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    const option = token.kind === 'option' ? known[token.name] : undefined;
    if (token.kind === 'positional' || !option) {
      const what = token.kind === 'positional' ? `“${token.value}”` : token.rawName;
      faults.push(`${what} is unknown; options are ${names.map((name) => `--${name}`).join(', ')}`);
    } else if (option.type === 'string' && token.value === undefined) faults.push(`--${token.name}: needs a value`);
    else given[token.name] = option.type === 'boolean' ? true : token.value;
  }
  const parsed = shape.safeParse(given, { reportInput: true });
  if (parsed.success && faults.length === 0) return parsed.data;

  const wrong = (parsed.error?.issues ?? []).map((issue) => {
    const missing = issue.code === 'invalid_type' && issue.input === undefined;
    return `--${issue.path.join('.')}: ${missing ? 'is required' : issue.message}`;
  });
  throw new UsageError([...faults, ...wrong].join('\n'));
}

const isFlag = (shape: z.core.$ZodType): boolean => z.safeParse(shape, true).data === true;

/** Includes the internal cause: commands are for the operator, who can read the log anyway. */
function refusalOf(thrown: unknown, problemOf: (thrown: unknown) => Problem): { code: string; message: string } {
  if (thrown instanceof ConfigError) return { code: 'bad_request', message: thrown.message };
  const { code, message, cause } = problemOf(thrown);
  if (code !== 'internal_error' && code !== 'unavailable') return { code, message };
  return { code, message: cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message };
}

/**
 * Reads what a command is given on standard input, as JSON: lists that no argument could hold.
 * @throws UsageError if it has another shape
 */
export async function readJsonInput<S extends z.ZodType>(shape: S): Promise<z.output<S>> {
  const given = await text(process.stdin);
  const parsed = shape.safeParse(jsonOf(given));
  if (!parsed.success) throw new UsageError(`standard input: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError('standard input: must be JSON');
  }
}
