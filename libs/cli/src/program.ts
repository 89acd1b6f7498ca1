import { createClient, getCaller, SheafError, type SubmissionStatus } from '@sheaf/client';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { accountFor, accountsFile, forgetAccounts, keepAccount, normalUrl, readAccounts } from './accounts';
import { printChanges } from './changes';
import type { Context, Session } from './context';
import { tailAttempts, type AttemptFilter } from './deliveries';
import { Failure, failureOf } from './failure';
import { createFormWithFile, diffForm, listForms, pullForm } from './forms';
import { writeFormSchema } from './form-schema';
import { languages, writeProject, type Language } from './new-project';
import { pushForm, type PushOptions } from './push-form';
import { cell, print, printJson } from './show';
import { listenTo, webhookSecretBy, withListenOptions, type ListenOptions } from './listen';
import { importFile, type ImportOptions } from './import';
import { exportForm, listSubmissions, showOneSubmission, tailSubmissions, type Conditions, type ExportOptions } from './submissions';

export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** The options of every command. */
interface Common {
  url?: string;
  allowHttp?: boolean;
  json?: true;
}

/** A diff was asked to say by its exit code that there is a difference. */
class Differs extends Error {}

/** Runs a command line. @param args the arguments after the name of the program */
export async function runProgram(args: readonly string[], context: Context, version: string): Promise<ExitCode> {
  try {
    await programOf(context, version).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Differs) return 3;
    // The prompt's name for Ctrl-C, which it reads as a key.
    if (context.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')) return 130;
    const { code, message, exitCode } = failureOf(error, (refusal) => adviceAfter(refusal, context.program));
    context.say(args.includes('--json') ? JSON.stringify({ error: { code, message } }) : message);
    return exitCode;
  }
}

/** The next step after a refusal, or after an address that would not be safe. */
function adviceAfter(error: Error, program: string): string | undefined {
  if (!(error instanceof SheafError))
    return /^url: .*allowHttp/.test(error.message) ? 'Pass --allow-http if you trust the network between.' : undefined;
  return error.code === 'not_found' && !/\bform\b/.test(error.message) ? undefined : adviceOn(program)[error.code];
}

const adviceOn = (program: string): Readonly<Partial<Record<string, string>>> => ({
  unauthorized: `The key was revoked, has expired, or belongs to another instance. Run "${program} login" with a valid one, or change SHEAF_KEY.`,
  insufficient_scope: 'Use a key with this scope: an owner of the instance makes one in the console, under Settings › Service accounts.',
  forbidden: 'Ask an owner of the form for a role on it, or use another key.',
  not_found: `"${program} forms list" shows the forms that this key can use.`,
  redirected: 'Log in with the address to which it leads.',
});

function programOf(context: Context, version: string): Command {
  const { program: name } = context;
  const root = new Command(name)
    .usage('<command>')
    .description('Works with the forms and submissions of a Sheaf, with the rights of your key.')
    .option('--url <address>', 'the instance (default: SHEAF_URL, or the one of the last login)')
    .option('--allow-http', 'send the key without TLS to another machine, in a network that you trust')
    .option('--json', 'print lines of JSON for programs')
    .version(version, '--version', 'prints the version')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => void context.out.write(text), writeErr: (text) => context.say(text.trimEnd()) })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Log in once, or set SHEAF_URL and SHEAF_KEY, as in CI. A key is no option: other users of a machine can see those, and a shell keeps them.

Exit codes:
  0  success
  1  refused or failed
  2  wrong usage
  3  a difference, with "forms diff --exit-code"
  130  ended by Ctrl-C before it was done; a tail, which has no end of its own, ends with 0

Examples:
  ${name} login --url https://forms.example.org
  ${name} forms create 'Site visit'
  ${name} forms pull 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01
  ${name} forms push site-visit.form.json
  ${name} submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --format csv --output answers.csv

npx @sheaf/cli runs this program without an installation, and npm install --global @sheaf/cli installs it as sheaf.`,
    );

  accountCommands(root, context);
  projectCommand(root, context);
  formCommands(root, context);
  submissionCommands(root, context);
  deliveryCommands(root, context);
  webhookCommands(root, context);
  return root;
}

function accountCommands(root: Command, context: Context): void {
  leaf(root, 'login', 'checks a key and keeps it, in a file that only you can read', [
    'login --url https://forms.example.org',
    'login --url https://forms.example.org < key.txt',
  ]).action(async () => {
    const { url: address, allowHttp, json } = root.opts<Common>();
    if (address === undefined) throw new Failure('--url: give the address of Sheaf, such as https://forms.example.org', 2);
    const url = normalUrl(address, '--url');
    const key = (await context.readSecret()).trim();
    if (key === '') throw new Failure('A key is needed: type it at the prompt, or pass it on standard input.', 2);
    const who = await callerOf({ url, key, allowHttp }, context.signal);
    const file = await keepAccount(context.environment, { url, key, allowHttp });
    if (json) printJson(context, { url, file });
    else
      context.say(
        `${who === undefined ? 'The key is valid.' : `Hello, ${cell(who)}.`} ${file} keeps the key; "${context.program} logout" forgets it.`,
      );
  });
  leaf(root, 'logout', 'forgets a key', ['logout', 'logout --url https://forms.example.org', 'logout --all'])
    .option('--all', 'forget all keys')
    .action(async ({ all }: { all?: true }) => {
      const { url: address, json } = root.opts<Common>();
      const url = address === undefined ? undefined : normalUrl(address, '--url');
      const gone = await forgetAccounts(context.environment, { url, all });
      if (json) printJson(context, { forgotten: gone });
      else if (gone.length === 0) context.say(url === undefined ? 'There is no login.' : `There is no login to ${url}.`);
      else context.say(`Forgotten: ${gone.join(', ')}. The key stays valid: revoke it in the console if somebody else may have it.`);
    });
  leaf(root, 'accounts', 'lists the instances that you are logged in to', ['accounts']).action(async () => {
    const { default: latest, accounts } = await readAccounts(context.environment);
    const urls = Object.keys(accounts);
    if (root.opts<Common>().json) for (const url of urls) printJson(context, { url, default: url === latest });
    else if (urls.length === 0) context.say(`None; ${accountsFile(context.environment)} would have them.`);
    else for (const url of urls) print(context, url === latest ? `${url} (used unless --url or SHEAF_URL names another one)` : url);
  });
  leaf(root, 'whoami', 'shows whose key it is', ['whoami']).action(
    calling(root, context, async (session) => {
      const caller = await getCaller(session);
      if (session.json) printJson(session, caller);
      else print(session, `${cell(caller.name)} <${cell(caller.email)}>`);
    }),
  );
}

/** The name of the key's owner; undefined if the key is valid but may not know it. @throws Failure if it is not valid there */
async function callerOf(
  account: { url: string; key: string; allowHttp: boolean | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await getCaller({ client: createClient(account), signal })).name;
  } catch (error) {
    // A service account without `forms:read`.
    if (error instanceof SheafError && error.status === 403) return undefined;
    if (error instanceof SheafError && error.code === 'unauthorized')
      throw new Failure(
        `${account.url} does not take this key: it was revoked, has expired, or belongs to another instance. Nothing was kept.`,
        1,
        'unauthorized',
      );
    throw error;
  }
}

function projectCommand(root: Command, context: Context): void {
  leaf(root, 'new', 'writes a project that calls Sheaf with your key, and runs at once', [
    'new my-integration',
    'new my-integration --language javascript',
  ])
    .argument('<folder>', 'a new folder')
    .addOption(new Option('--language <language>', 'the language').choices(languages).default('typescript'))
    .action(async (folder: string, { language }: { language: Language }) => {
      const { json, ...options } = root.opts<Common>();
      const account = await accountFor(context.environment, options, context.program);
      await writeProject(folder, language, account);
      if (json) printJson(context, { folder, language });
      else context.say(`Run it:\n  cd ${folder}\n  npm install\n  npm start`);
    });
}

function formCommands(root: Command, context: Context): void {
  const forms = group(root, 'forms', 'forms as files');
  leaf(forms, 'list', 'lists forms', ['forms list', 'forms list --search visit --json'])
    .option('--search <text>', 'only forms with this text in their title')
    .action(calling(root, context, (session, options: { search?: string }) => listForms(session, options)));
  leaf(forms, 'create', 'makes an empty form, and the file in which you write its questions', [
    "forms create 'Site visit'",
    "forms create 'Site visit' --output visit.json",
  ])
    .argument('<title>', 'the title of the form')
    .option('--output <file>', 'the file (default: the title, as <title>.form.json)')
    .action(calling(root, context, (session, title: string, options: { output?: string }) => createFormWithFile(session, title, options)));
  leaf(forms, 'pull', 'writes the draft and the settings of a form to a file for version control', [
    'forms pull 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
    'forms pull 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --output visit.json --force',
  ])
    .argument('<form>', 'the id of the form')
    .option('--output <file>', 'the file (default: the title, as <title>.form.json)')
    .option('--force', 'replace a file that differs')
    .action(
      calling(root, context, (session, form: string, options: { output?: string; force?: true }) => pullForm(session, form, options)),
    );
  leaf(forms, 'diff', 'shows what pushing a file would change', [
    'forms diff site-visit.form.json',
    'forms diff site-visit.form.json --exit-code',
  ])
    .argument('<file>', 'the file that pull has written')
    .option('--exit-code', 'end with 3 if there is a difference')
    .action(
      calling(root, context, async (session, file: string, { exitCode }: { exitCode?: true }) => {
        if ((await diffForm(session, file)) && exitCode === true) throw new Differs();
      }),
    );
  leaf(forms, 'schema', 'writes the JSON schema of these files, by which editors complete and check them', [
    'forms schema',
    'forms schema --output schemas/form.json',
  ])
    .option('--output <file>', 'the file', 'form.schema.json')
    .action(calling(root, context, (session, { output }: { output: string }) => writeFormSchema(session, output)));
  leaf(forms, 'push', 'saves a file as the draft and the settings of its form, after it has shown the difference and asked', [
    'forms push site-visit.form.json',
    'forms push site-visit.form.json --dry-run',
    'forms push site-visit.form.json --publish --yes',
  ])
    .argument('<file>', 'the file that pull has written')
    .option('--publish', 'publish the draft too, after it has shown what that does to earlier submissions and asked')
    .option('--dry-run', 'show the difference, and change nothing')
    .option('--yes', 'do not ask, as in CI')
    .action(calling(root, context, (session, file: string, options: PushOptions) => pushForm(session, file, options)));
}

const statuses: SubmissionStatus[] = ['new', 'in_review', 'approved', 'rejected', 'archived', 'pending_payment'];

function submissionCommands(root: Command, context: Context): void {
  const submissions = group(root, 'submissions', 'what respondents sent');
  const withConditions = (command: Command): Command =>
    command
      .addOption(
        new Option('--view <view>', 'only submissions of a view of the form, by its name or id').conflicts(['search', 'status', 'filter']),
      )
      .option('--search <words>', 'only submissions whose answers have all these words')
      .addOption(new Option('--status <statuses...>', 'only submissions with one of these statuses').choices(statuses))
      .option(
        '--filter <condition>',
        'only submissions that meet it, as filter of the API has it; may be repeated',
        (condition: string, before: string[] | undefined) => [...(before ?? []), condition],
      );
  withConditions(
    leaf(submissions, 'list', 'lists submissions, the newest first', [
      'submissions list 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --search oak --status new approved',
      "submissions list 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --filter '_created[within]=last_7_days' --filter 'age[gte]=18'",
    ]),
  )
    .argument('<form>', 'the id of the form')
    .option('--limit <n>', 'how many at most', whole, 25)
    .action(
      calling(root, context, (session, form: string, options: Conditions & { limit: number }) => listSubmissions(session, form, options)),
    );
  leaf(submissions, 'show', 'shows one submission', [
    'submissions show 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 019a1e5d-0000-7c3e-9f5b-2f6d8a1b4c07',
  ])
    .argument('<form>', 'the id of the form')
    .argument('<submission>', 'the id of the submission')
    .action(calling(root, context, (session, form: string, submission: string) => showOneSubmission(session, form, submission)));
  withConditions(
    leaf(submissions, 'export', 'writes all submissions, however many', [
      'submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --format csv --output answers.csv',
      'submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 | wc -l',
      'submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --view "To be reviewed" --format xlsx --output review.xlsx',
      'submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --preset "For the accounts" --output accounts.csv',
      'submissions export 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --background --format zip --output files.zip',
    ]),
  )
    .argument('<form>', 'the id of the form')
    .addOption(new Option('--format <format>', 'the format').choices(['ndjson', 'csv', 'xlsx', 'zip']).default('ndjson'))
    .addOption(
      new Option('--preset <preset>', 'the format, columns and options of an export preset of the form, by its name or id').conflicts(
        'format',
      ),
    )
    .option('--output <file>', 'a file, which is there once it is complete (default: standard output)')
    .option('--background', 'has the server make the file, waits, and fetches it; Ctrl-C leaves it to the server')
    .addOption(
      new Option('--fetch <export>', 'fetches an export that was begun with --background').conflicts([
        'background',
        'preset',
        'view',
        'search',
        'status',
        'filter',
      ]),
    )
    .action(calling(root, context, (session, form: string, options: ExportOptions) => exportForm(session, form, options)));
  leaf(submissions, 'import', 'stores the rows of a CSV or XLSX file as submissions, all of them or none', [
    'submissions import 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 answers.csv --dry-run',
    'submissions import 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 answers.xlsx --match 3:answers.name 4:nothing --only-valid',
  ])
    .argument('<form>', 'the id of the form')
    .argument('<file>', 'the file, with headings in its first row')
    .option(
      '--match <columns...>',
      'what columns become where it is not what is shown: <number>:answers.<key>, created_at, language or nothing',
    )
    .addOption(new Option('--date-order <order>', 'the order in dates such as 3/2/2026').choices(['day_first', 'month_first']))
    .option('--only-valid', 'leaves out the rows in which something is wrong')
    .option('--events', 'tells webhooks about each submission')
    .option('--dry-run', 'shows what would be imported, and what is wrong')
    .option('--key <key>', 'imports a file once more; the same file and options are otherwise imported once')
    .action(
      calling(root, context, (session, form: string, file: string, options: ImportOptions) => importFile(session, form, file, options)),
    );
  leaf(submissions, 'tail', 'prints submissions as they arrive, until Ctrl-C', [
    'submissions tail 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
    "submissions tail 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --json | jq '.data'",
  ])
    .argument('<form>', 'the id of the form')
    .option('--interval <seconds>', 'how often to look', whole, 2)
    .action(
      calling(root, context, (session, form: string, { interval }: { interval: number }) =>
        tailSubmissions(session, form, { intervalMs: interval * 1_000 }),
      ),
    );
  leaf(submissions, 'changes', 'prints what has changed since the last time: created, changed, trashed and erased submissions, in order', [
    'submissions changes 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --cursor site-visit.cursor --json >> changes.ndjson',
  ])
    .argument('<form>', 'the id of the form')
    .option('--cursor <file>', 'a file that keeps how far this came; the next run goes on there (default: begin anew)')
    .action(calling(root, context, (session, form: string, options: { cursor?: string }) => printChanges(session, form, options)));
}

function deliveryCommands(root: Command, context: Context): void {
  const deliveries = group(root, 'deliveries', 'what webhooks were sent');
  leaf(deliveries, 'tail', 'prints attempts to deliver as they end, until Ctrl-C', [
    'deliveries tail 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
    'deliveries tail 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --status 5xx',
    "deliveries tail 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --json | jq '.duration_ms'",
  ])
    .argument('<form>', 'the id of the form')
    .option('--webhook <id>', 'only attempts of this webhook or subscription')
    .option('--status <status>', 'only attempts with this answer: a status such as 503, a class such as 5xx, or none', answer)
    .option('--interval <seconds>', 'how often to look', whole, 2)
    .action(
      calling(root, context, (session, form: string, { interval, ...filter }: AttemptFilter & { interval: number }) =>
        tailAttempts(session, form, { ...filter, intervalMs: interval * 1_000 }),
      ),
    );
}

function webhookCommands(root: Command, context: Context): void {
  const webhooks = group(root, 'webhooks', 'events on their way to you');
  const listen = leaf(webhooks, 'listen', 'prints events as they happen, and forwards them to a server on this machine, until Ctrl-C', [
    'webhooks listen --forward http://localhost:3000/webhooks',
    'webhooks listen 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01 --events submission.created --print-json',
  ]);
  withListenOptions(listen)
    .argument('[form]', 'the id of the form (default: every form that the key may change, of which there may be 20)')
    .action(calling(root, context, (session, form: string | undefined, options: ListenOptions) => listenTo(session, form, options)));
}

const group = (parent: Command, name: string, about: string): Command => parent.command(name).description(about);

/** An executable command, with examples at the end of its help. */
function leaf(parent: Command, name: string, summary: string, examples: readonly string[]): Command {
  const command = parent.command(name).description(summary);
  return command.addHelpText('after', () => {
    const root = rootOf(command).name();
    return ['', examples.length === 1 ? 'Example:' : 'Examples:', ...examples.map((example) => `  ${root} ${example}`)].join('\n');
  });
}

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** A command that calls Sheaf, with the account that its options and the environment name. */
const calling =
  <Args extends unknown[]>(root: Command, context: Context, run: (session: Session, ...args: Args) => Promise<void>) =>
  async (...args: [...Args, ...unknown[]]): Promise<void> => {
    const { json, ...options } = root.opts<Common>();
    const account = await accountFor(context.environment, options, context.program);
    await run(
      {
        ...context,
        client: createClient(account),
        instanceUrl: account.url,
        json: json === true,
        webhookSecret: webhookSecretBy(account.key),
      },
      ...(args as unknown as Args),
    );
  };

function answer(text: string): string {
  if (!/^([1-5](\d\d|xx)|none)$/.test(text))
    throw new InvalidArgumentError('It must be a status such as 503, a class such as 5xx, or none.');
  return text;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
