// In place of conditions.ts on a page that calculates: follows its conditions, too, as they may ask for what is calculated. Without it, the
// server computes once the page is sent.
import { evaluate, type Formula } from '@sheaf/formulas';
import { writtenResult, type Writing } from '../answers/calculated';
import { followAnswers } from './follow';

const form = document.querySelector<HTMLFormElement>('main form');
if (form)
  followAnswers(form, (element, answers, today) => {
    const value = evaluate(JSON.parse(element.dataset.formula ?? '') as Formula, { answers, today: () => today });
    const output = element.querySelector('output');
    const text = output?.querySelector('bdi');
    if (!output || !text) return value;
    const written = writtenResult(value, JSON.parse(output.dataset.writing ?? '') as Writing);
    // Screen readers read what is written anew, also if it is the same.
    if (text.textContent !== written) text.textContent = written;
    return value;
  });
