// Follows the conditions of a page that has any, after page.ts has put back what was entered. Without it, the server shows the questions that
// are missing once the page is sent, and says which options do not fit.
import { followAnswers } from './follow';

const form = document.querySelector<HTMLFormElement>('main form');
if (form) followAnswers(form);
