import type { Command } from 'commander';
import { confirm, forwardedOptions, group, leaf, showOne, withConfirmation } from './leaf';
import type { ToolContext } from './context';

/** Repairs the counts of submissions. */
export function insightsCommands(program: Command, context: ToolContext): void {
  const insights = group(program, 'insights', 'the counts of submissions', 'insights recount');
  const recount = withConfirmation(
    leaf(insights, 'recount', 'counts the submissions of a form anew, or those of all forms', 'insights recount --form 0197f0c2-…'),
  ).option('--form <id>', 'only this form');
  recount.action(async () => {
    const form = recount.getOptionValue('form') as string | undefined;
    await confirm(context, recount, `Count the submissions of ${form === undefined ? 'all forms' : `the form ${form}`} anew?`);
    const answer = await context.runCommand('submissions', ['recount-insights', ...forwardedOptions(recount)]);
    showOne(context, recount, answer, 'Counting continues in the background; insights are incomplete until it ends.');
  });
}
