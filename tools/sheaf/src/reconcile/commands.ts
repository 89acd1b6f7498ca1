import type { Command } from 'commander';
import type { ToolContext } from '../context';
import { Failure } from '../failure';
import { confirm, isJson, leaf, withConfirmation } from '../leaf';
import { table } from '../show';
import type { Checking } from './asking';
import { checkFiles } from './files';
import { Findings, meanings } from './findings';
import { checkSubmissions } from './submissions';
import { checkSubscriptions } from './subscriptions';
import { checkWorkspaces } from './workspaces';

/** By its order of asking, nothing that is on its way is taken for lost; this is for clocks that differ. */
const youngSeconds = 60;
const pageSize = 20_000;
/** The exit code if something is missing, so that a script can tell it from a failure. */
const somethingIsMissing = 3;

/** Finds what is missing between services, as after one database was restored alone. */
export function reconcileCommand(program: Command, context: ToolContext): void {
  const reconcile = withConfirmation(
    leaf(
      program,
      'reconcile',
      'finds what one service has and another one lacks, as after one database was restored alone; mends nothing without --repair',
      'reconcile --since 2026-11-20T00:00:00Z',
    ),
  )
    .option('--repair', 'mend what can be mended without guessing; what may have been sent before is held back')
    .option('--age <seconds>', `leave out what is younger (default: ${youngSeconds})`)
    .option('--since <time>', 'only submissions from then on: 2026-11-20T00:00:00Z')
    .addHelpText('after', '\nExit codes: 0 nothing is missing (any more), 1 failed, 2 wrong usage, 3 something is missing.');
  reconcile.action(async () => {
    const { repair = false, since, age = String(youngSeconds) } = reconcile.opts<{ repair?: boolean; since?: string; age?: string }>();
    const from = since === undefined ? undefined : new Date(since);
    if (from && Number.isNaN(from.getTime())) throw new Failure('bad_request', '--since: must be a time, such as 2026-11-20T00:00:00Z', 2);
    if (!/^\d{1,6}$/.test(age)) throw new Failure('bad_request', '--age: must be a whole number of seconds, up to 999999', 2);
    if (repair) await confirm(context, reconcile, 'Announce what was not heard of again, and hold its webhooks back?');
    const json = isJson(reconcile);
    const checking: Checking = {
      context,
      before: new Date(Date.now() - Number(age) * 1_000),
      repair,
      pageSize,
      progress: (text) => {
        if (!json) context.printError(`  … ${text}`);
      },
    };
    const answer = await check(checking, from);
    show(context, json, answer);
    const missing = answer.findings.filter(({ count, mended }) => mended < count);
    if (missing.length > 0)
      throw new Failure('missing', `Something is missing: ${missing.map(({ kind }) => kind).join(', ')}.`, somethingIsMissing);
  });
}

async function check(checking: Checking, since: Date | undefined) {
  const findings = new Findings();
  // Webhooks first: what is announced again is planned for those that `delivery` knows.
  checking.progress('comparing webhooks');
  const { webhooks, workspaces } = await checkSubscriptions(checking, findings);
  checking.progress('looking for workspaces');
  await checkWorkspaces(checking, findings, workspaces);
  checking.progress('looking for the versions and events of submissions');
  const read = await checkSubmissions(checking, findings, since);
  checking.progress('looking for the files of submissions');
  const files = await checkFiles(checking, findings);
  return { before: checking.before, ...read, webhooks, files, findings: findings.list() };
}

function show(context: ToolContext, json: boolean, answer: Awaited<ReturnType<typeof check>>): void {
  if (json) return context.print(JSON.stringify(answer));
  const { before, submissions, webhooks, files, events_since: eventsSince, findings } = answer;
  context.print(`Compared ${submissions} submissions and ${webhooks} webhooks from before ${before.toISOString()}.`);
  context.print(`Events are compared from ${eventsSince} on: the log of deliveries has no earlier ones.`);
  context.print(
    files === null
      ? 'Files are not compared: set FILES_DIR or FILES_S3_BUCKET as submissions has it.'
      : `Looked for ${files} files in the storage.`,
  );
  if (findings.length === 0) return context.print('Nothing is missing.');
  context.print(
    table(findings, {
      finding: ({ kind }) => kind,
      count: ({ count }) => count,
      mended: ({ mended }) => mended,
      meaning: ({ kind }) => meanings[kind].text,
      'for example': ({ ids }) => ids.slice(0, 3),
    }),
  );
  for (const { kind, count, mended } of findings) if (mended < count) context.print(`${kind}: ${meanings[kind].advice}`);
}
