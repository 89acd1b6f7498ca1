import { boundsOf, type Field, type FormCheck } from '@sheaf/contracts';
import { isAskedWithChoice, questionRows, relevantCells, type Writing } from './write-question';
import { hasFallback, textsOf, type Row } from './write-row';

/** The rows of a repeat, with those of its fields. A file can say how many items it has, and neither the fewest nor the most. */
export function repeatRows(repeat: Field, checks: readonly FormCheck[], writing: Writing): Row[] {
  const { fields = [], required, item_label, messages, required_if } = repeat;
  const { min = 0, max } = boundsOf(repeat);
  const isExact = required && min === max && required_if === undefined;
  if (hasFallback(repeat)) writing.leaveOut(repeat, 'the words in place of a missing answer');
  for (const { message } of checks) writing.leaveOut(repeat, `the check "${message}"`);
  for (const [part, value] of Object.entries({ item_label, messages, required_if }))
    if (value !== undefined) writing.leaveOut(repeat, part);
  const fewest = required ? Math.max(min, 1) : min;
  if (!isExact && fewest > 0) writing.leaveOut(repeat, `that it has at least ${fewest} items`);
  if (!isExact) writing.leaveOut(repeat, `that it has at most ${max} items`);
  return [
    {
      ...{ type: 'begin_repeat', name: repeat.key, repeat_count: isExact ? String(min) : '' },
      ...textsOf(repeat, 'label', 'label', writing),
      ...textsOf(repeat, 'help', 'hint', writing),
      ...relevantCells(repeat, writing),
    },
    ...fields.flatMap((field) => (isAskedWithChoice(field, writing.names) ? [] : questionRows(field, [], writing))),
    { type: 'end_repeat' },
  ];
}
