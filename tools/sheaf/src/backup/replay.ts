import type { Command } from 'commander';
import type { ToolContext } from '../context';
import { Failure } from '../failure';
import { confirm, isJson, leaf, withConfirmation } from '../leaf';
import { cell, table } from '../show';

/** The answer of a service about things that were ended after the moment and are back. */
interface OfStream {
  stream_since: string | null;
  complete: boolean;
}
interface Ended {
  action: string;
  id: string;
  instance_id: string;
  at: string;
  done: boolean;
  refused?: string;
}
interface OfWorkspaces extends OfStream {
  ended: Ended[];
  look_at: { action: string; target_id: string; instance_id: string; at: string }[];
  more_to_look_at: boolean;
}
interface OfSubmissions extends OfStream {
  erased: { form_id: string; instance_id: string; submission_ids: string[]; done: boolean; refused?: string }[];
}

interface Replayed extends OfWorkspaces {
  erased: OfSubmissions['erased'];
}

/** The exit code if the stream cannot tell everything, so that a script can tell it from a failure. */
const notEverything = 3;

/** Ends again, after a restore, what was ended since the backup, as a stream that survived has it. */
export function replayCommand(backup: Command, context: ToolContext): void {
  const replay = withConfirmation(
    leaf(
      backup,
      'replay',
      'after a restore: lists what was revoked or erased since the backup and is back, as a stream of NATS that survived has it; ends it again with --apply',
      'backup replay --since 2026-11-26T03:15:00Z',
    ),
  )
    .requiredOption('--since <time>', 'the moment to which the databases were restored')
    .option('--apply', 'revoke these keys, and erase these people and submissions')
    .option('--except <ids>', 'leave these alone, separated by commas: what you restored the backup for')
    .addHelpText(
      'after',
      '\nReads the stream at NATS_URL as the operator’s user, so run it before you empty the stream. The services need not run.' +
        '\nExit codes: 0 done, 1 failed or refused, 2 wrong usage, 3 the stream cannot tell everything since that moment.',
    );
  replay.action(async () => {
    const { apply = false } = replay.opts<{ apply?: boolean }>();
    const json = isJson(replay);
    let answer = await ask(context, replay, false);
    if (!json) show(context, answer);
    const count = answer.ended.length + submissionsOf(answer).length;
    if (apply && count > 0) {
      await confirm(context, replay, `Revoke or erase these ${count}? Nothing brings them back.`);
      answer = await ask(context, replay, true);
      if (!json) showOutcome(context, answer);
    }
    if (json) context.print(JSON.stringify(answer));
    const refused = [...answer.ended, ...answer.erased].filter((one) => one.refused !== undefined).length;
    if (refused > 0)
      throw new Failure('conflict', `${refused} could not be ended; the reasons are above. ${incompleteNote(answer)}`.trim());
    if (!answer.complete) throw new Failure('incomplete', incompleteNote(answer), notEverything);
  });
}

async function ask(context: ToolContext, replay: Command, isToApply: boolean): Promise<Replayed> {
  const { since, except } = replay.opts<{ since: string; except?: string }>();
  const options = [`--since=${since}`, ...(except === undefined ? [] : [`--except=${except}`]), ...(isToApply ? ['--apply'] : [])];
  // Keys first: whoever holds one is locked out at once.
  const ofWorkspaces = (await context.runCommand('workspaces', ['replay', ...options])) as unknown as OfWorkspaces;
  const { erased, complete } = (await context.runCommand('submissions', ['replay-erasures', ...options])) as unknown as OfSubmissions;
  return { ...ofWorkspaces, complete: ofWorkspaces.complete && complete, erased };
}

const submissionsOf = ({ erased }: Replayed) =>
  erased.flatMap(({ submission_ids: ids, ...form }) => ids.map((id) => ({ ...form, id, action: 'submission.erased', at: '' })));

const incompleteNote = ({ complete, stream_since: since }: Replayed): string => {
  if (complete) return '';
  const begins = since === null ? 'The stream is gone or empty' : `The stream begins only at ${since}`;
  return `${begins}, so what was ended before is NOT listed. Go through your own copies of the audit log and of the erasures as well.`;
};

function show(context: ToolContext, answer: Replayed): void {
  const { ended, look_at: lookAt, more_to_look_at: isMore, complete } = answer;
  if (!complete) context.printError(`Warning: ${incompleteNote(answer)}`);
  const back = [...ended, ...submissionsOf(answer)];
  context.print(back.length === 0 ? 'Nothing of what the stream knows is back.' : 'Ended after that moment, and back:');
  if (back.length > 0)
    context.print(
      table(back, {
        action: ({ action }) => action,
        id: ({ id }) => id,
        instance: ({ instance_id: id }) => id,
        at: ({ at }) => cell(at === '' ? null : at),
      }),
    );
  if (lookAt.length === 0) return;
  context.print('Look at these yourself: an entry says too little to do it again, or the state before may be wanted.');
  context.print(
    table(lookAt, {
      action: ({ action }) => action,
      target: ({ target_id: id }) => id,
      instance: ({ instance_id: id }) => id,
      at: ({ at }) => at,
    }),
  );
  if (isMore) context.print(`… and more: the list ends after ${lookAt.length}.`);
}

function showOutcome(context: ToolContext, answer: Replayed): void {
  const all = [...answer.ended, ...submissionsOf(answer)];
  context.print(`Ended again: ${all.filter(({ done }) => done).length}.`);
  for (const { action, id, refused } of all) if (refused !== undefined) context.printError(`Refused: ${action} ${id}: ${refused}`);
}
