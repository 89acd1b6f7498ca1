// In place of conditions.ts on a page that calculates: follows its conditions, too, as they may ask for what is calculated. Without it, the
// server computes once the page is sent.
import { evaluate, type Formula, type Labels } from '@sheaf/formulas';
import { writtenResult, type Writing } from '../answers/calculated';
import { followAnswers } from './follow';

const form = document.querySelector<HTMLFormElement>('main form');
if (form) {
  const labels = JSON.parse(form.dataset.labels ?? '{}') as Labels;
  followAnswers(form, (element, answers, today) => {
    const value = evaluate(JSON.parse(element.dataset.formula ?? '') as Formula, { answers, today: () => today, labels });
    const output = element.querySelector('output');
    const { writing } = (output ?? element).dataset;
    if (writing === undefined) return value;
    const written = writtenResult(value, JSON.parse(writing) as Writing);
    const text = output?.querySelector('bdi');
    // One that is not shown is read from here by the script for texts.
    if (!text) element.dataset.result = written;
    // Screen readers read what is written anew, also if it is the same.
    else if (text.textContent !== written) text.textContent = written;
    return value;
  });
}
