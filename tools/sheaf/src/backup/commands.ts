import { InvalidArgumentError, type Command } from 'commander';
import type { ToolContext } from '../context';
import { Failure } from '../failure';
import { fields } from '../show';
import { confirm, group, isJson, leaf, operatorPath, showOne, withConfirmation } from '../leaf';
import { createBackup, type Created, type CreateOptions } from './create';
import { encryptionWith, type Encryption } from './encryption';
import { printedProgress, seconds, silentProgress, size, stoppable, type Progress } from './progress';
import { replayCommand } from './replay';
import { restoreBackup } from './restore';
import { nextBackup, waitBeforeNext, waitFor } from './series';
import { checkFiles, readContents } from './verify';

/** Commands that back up a whole system and bring it back. */
export function backupCommands(program: Command, context: ToolContext): void {
  const backup = group(
    program,
    'backup',
    'backing up the system of npm start, and bringing it back',
    'backup create --output /mnt/backups/2026-11-26',
  );
  createCommand(backup, context);
  verifyCommand(backup, context);
  keepCommand(backup, context);
  restoreCommand(backup, context);
  recordRestoreCommand(backup, context);
  replayCommand(backup, context);
}

const withPassphrase = (command: Command, what: string): Command =>
  command.option('--passphrase-file <file>', `${what} with the passphrase in the first line of this file`);

function createCommand(backup: Command, context: ToolContext): void {
  const create = withPassphrase(
    leaf(
      backup,
      'create',
      'backs up databases, secrets and uploaded files while the system runs',
      'backup create --output /mnt/backups/2026-11-26 --passphrase-file ~/backup-passphrase',
    ),
    'encrypts it',
  ).requiredOption('--output <folder>', 'the new folder for the backup, readable only by you');
  create.action(async () => {
    const encryption = await passphraseOf(create);
    await timed(context, create, async (progress, signal) => {
      const folder = operatorPath(create.getOptionValue('output') as string);
      const { files, bytes, ...created } = await createIn(folder, context, { encryption, progress, signal });
      return { answer: { ...created, files, bytes }, note: files === null ? bucketNote : undefined };
    });
  });
}

type Working = Pick<CreateOptions, 'encryption' | 'progress' | 'signal'>;

/** Backs up the system that runs on DATA_DIR at this moment. */
async function createIn(folder: string, context: ToolContext, working: Working): Promise<Created> {
  const { postgres_url: postgresUrl, files_dir: filesDir } = await context.running();
  if (postgresUrl === undefined) throw ownServer();
  return createBackup({ folder, dataDir: context.dataDir, postgresUrl, filesDir, version: context.version, ...working });
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
};

/** For timers and containers: `backup create`, `backup verify`, and no more disk than for some backups. */
function keepCommand(backup: Command, context: ToolContext): void {
  const keep = withPassphrase(
    leaf(
      backup,
      'keep',
      'makes the next backup of a series, verifies it, and then removes the oldest ones; with --every-hours again and again',
      'backup keep --in /mnt/backups --count 14 --every-hours 24',
    ),
    'encrypts them',
  )
    .requiredOption('--in <folder>', 'the folder of the series: each backup is a folder in it, named by its moment')
    .option('--count <number>', 'how many whole backups to keep', wholeNumber(1, 10_000), 14)
    .option('--every-hours <number>', 'does not end, and makes the next one this long after the last', wholeNumber(1, 8_760));
  keep.action(async () => {
    const encryption = await passphraseOf(keep);
    const { in: folder, count, everyHours } = keep.opts<{ in: string; count: number; everyHours?: number }>();
    const series = operatorPath(folder);
    do {
      await timed(context, keep, async (progress, signal) => {
        if (everyHours !== undefined) await waitFor(await waitBeforeNext(series, everyHours * 3_600_000, new Date()), signal);
        let made: Created | undefined;
        const { removed } = await nextBackup({
          folder: series,
          keep: count,
          create: async (fresh) => (made = await createIn(fresh, context, { encryption, progress, signal })),
          verify: async (fresh) => {
            const checked = await checkFiles(fresh, stoppable(progress, signal));
            await readContents(checked, { encryption, progress: stoppable(progress, signal) });
          },
          now: () => new Date(),
        });
        const { bytes = 0, ...created } = made ?? {};
        return {
          answer: { ...created, removed: removed.join(', ') || 'none', bytes },
          note: made?.files === null ? bucketNote : undefined,
        };
      });
    } while (everyHours !== undefined);
  });
}

function verifyCommand(backup: Command, context: ToolContext): void {
  const verify = withPassphrase(
    leaf(
      backup,
      'verify',
      'checks that a backup is complete and unchanged; with its passphrase, also what is encrypted in it',
      'backup verify /mnt/backups/2026-11-26',
    ),
    'reads what is encrypted',
  ).argument('<folder>', 'the folder of the backup');
  verify.action(async (folder: string) => {
    const encryption = await passphraseOf(verify);
    await timed(context, verify, async (plainProgress, signal) => {
      const progress = stoppable(plainProgress, signal);
      const checked = await checkFiles(operatorPath(folder), progress);
      const isReadable = !checked.described.encrypted || encryption !== undefined;
      if (isReadable) await readContents(checked, { encryption, progress });
      return {
        answer: { folder: checked.folder, ...checked.described, bytes: checked.bytes, contents_checked: isReadable },
        note: isReadable ? undefined : 'Every byte is as it was written. --passphrase-file also checks what is encrypted in it.',
      };
    });
  });
}

function restoreCommand(backup: Command, context: ToolContext): void {
  const restore = withPassphrase(
    leaf(
      backup,
      'restore',
      'brings a backup back into DATA_DIR, which must be empty; npm start then runs it',
      'backup restore /mnt/backups/2026-11-26',
    ),
    'decrypts it',
  ).argument('<folder>', 'the folder of the backup');
  restore.action(async (folder: string) => {
    const encryption = await passphraseOf(restore);
    await timed(context, restore, async (plainProgress, signal) => {
      const { described, bytes, files } = await restoreBackup({
        folder: operatorPath(folder),
        dataDir: context.dataDir,
        encryption,
        progress: stoppable(plainProgress, signal),
        now: () => new Date(),
      });
      return {
        answer: { restored_into: context.dataDir, ...described, files: described.files === null ? null : files, bytes },
        note: 'Start it with npm start, and then go through “After a restore” in docs/backup.md: some things came back that should not.',
      };
    });
  });
}

/** For systems that the launcher does not run: `npm start` does the same after a restore. */
function recordRestoreCommand(backup: Command, context: ToolContext): void {
  const recording = withConfirmation(
    leaf(
      backup,
      'record-restore',
      'after you have restored your own databases and before the services start: holds back webhooks that may have been sent before',
      'backup record-restore --backup-at 2026-11-26T03:15:00Z',
    ),
  ).requiredOption('--backup-at <time>', 'the moment to which the databases were restored');
  recording.action(async () => {
    const backupAt = recording.getOptionValue('backupAt') as string;
    await confirm(context, recording, 'Hold back all deliveries that are pending, and those of all earlier events?');
    const { instances } = await context.runCommand('workspaces', ['record-restore', `--backup-at=${backupAt}`]);
    const { held_back: heldBack } = await context.runCommand('delivery', ['record-restore', `--at=${new Date().toISOString()}`]);
    showOne(context, recording, { instances, held_back: heldBack }, 'Go on with “After a restore” in docs/backup.md.');
  });
}

const bucketNote = 'Uploaded files are in your bucket, and not in this backup: see docs/backup.md.';

const ownServer = () =>
  new Failure(
    'conflict',
    'This system uses your own PostgreSQL (DATABASE_URL). Back it up with its own tools, such as pgBackRest, and all databases of Sheaf at ' +
      'one moment. The secrets and files of DATA_DIR belong to it: see docs/backup.md.',
  );

async function passphraseOf(command: Command): Promise<Encryption | undefined> {
  const file = command.getOptionValue('passphraseFile') as string | undefined;
  return file === undefined ? undefined : encryptionWith(operatorPath(file));
}

interface Outcome {
  answer: Record<string, unknown> & { bytes: number };
  note?: string | undefined;
}

/** Shows progress, ends the work in order after Ctrl-C, and prints the answer with how long it took. */
async function timed(
  context: ToolContext,
  command: Command,
  work: (progress: Progress, signal: AbortSignal) => Promise<Outcome>,
): Promise<void> {
  const json = isJson(command);
  const progress = json ? silentProgress : printedProgress((line) => context.printError(line));
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Failure('cancelled', 'Cancelled; nothing of it was kept.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop);
  const startedAt = performance.now();
  try {
    const { answer, note } = await work(progress, stopping.signal);
    const ms = Math.round(performance.now() - startedAt);
    context.print(
      json ? JSON.stringify({ ...answer, duration_ms: ms }) : fields({ ...answer, bytes: size(answer.bytes), duration: seconds(ms) }),
    );
    if (note !== undefined && !json) context.printError(note);
  } finally {
    progress.end();
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeListener(name, stop);
  }
}
