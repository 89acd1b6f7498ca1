import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Answer } from './app-command';
import { Failure } from './failure';
import { cell, fields, table, type Columns } from './show';
import type { ToolContext } from './context';

/** Options of the tool itself, which are not passed to the apps. */
const toolOptions = new Set(['json', 'yes']);

const exampleOf = (example: string): string => `\nExample:\n  npm run sheaf -- ${example}`;

/** A parent for all commands about one subject. */
export const group = (parent: Command, name: string, about: string, example: string): Command =>
  parent.command(name).description(about).addHelpText('after', exampleOf(example));

/** An executable command, with `--json` and an example at the end of its help. */
export function leaf(parent: Command, name: string, summary: string, example: string): Command {
  return parent
    .command(name)
    .description(summary)
    .option('--json', 'print one line of JSON for programs')
    .addHelpText('after', exampleOf(example));
}

/** Adds paging options to a list. The app checks their bounds. */
export const withPaging = (command: Command): Command =>
  command.option('--limit <n>', 'the number of rows, up to 1000 (default: 100)').option('--offset <n>', 'the number of rows to skip');

export const withConfirmation = (command: Command): Command => command.option('--yes', 'skip the confirmation');

/** For commands that return a secret, which cannot be retrieved later. */
export const withOutput = (command: Command): Command =>
  command.option('--output <file>', 'write the answer with its secret to this new file, readable only by you, instead of printing it');

/** The options that were set, as arguments for an app. Written with `=`, as a value may begin with a dash. */
export function forwardedOptions(command: Command): string[] {
  return command.options.flatMap((option) => {
    const value = command.getOptionValue(option.attributeName()) as string | true | undefined;
    if (value === undefined || option.long == null || toolOptions.has(option.attributeName())) return [];
    if (value === true) return [option.long];
    return [`${option.long}=${option.long === '--output' ? operatorPath(value) : value}`];
  });
}

/** A path that the operator has given, from their working folder: npm changes to the folder of package.json before it runs the tool. */
export const operatorPath = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path);

export const isJson = (command: Command): boolean => command.getOptionValue('json') === true;

/** @throws Failure unless the operator confirms. */
export async function confirm(context: ToolContext, command: Command, question: string): Promise<void> {
  if (command.getOptionValue('yes') === true || (await context.confirm(question))) return;
  throw new Failure('cancelled', 'Cancelled; nothing was changed.');
}

export function showOne(context: ToolContext, command: Command, answer: Answer, note?: string): void {
  context.print(isJson(command) ? JSON.stringify(answer) : fields(answer));
  if (note !== undefined && !isJson(command)) context.printError(note);
}

export function showList(context: ToolContext, command: Command, answer: Answer, columns: Columns<Answer>): void {
  if (isJson(command)) return context.print(JSON.stringify(answer));
  const { data, limit, offset, more } = answer as { data: Answer[]; limit: number; offset: number; more: boolean };
  context.print(table(data, columns));
  if (more) context.print(`There are more: --offset ${limit + offset}`);
}

export const column = (name: string) => (row: Answer) => cell(row[name]);
