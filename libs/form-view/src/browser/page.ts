// Enhances the pages of a form. Everything works without it.
import { returning } from './return';
import { canSend, offerOwnWindow } from './blocked';
import { countCharacters } from './counters';
import { reportHeight } from './frame';
import { prove } from './prove';
import { forgetAnswers, rememberAnswers } from './remember';
import { guardSending } from './sending';
import { offerActions, showFaults } from './page-actions';

const form = returning(document.querySelector<HTMLFormElement>('main form'));

if (form) {
  // First, because it may stop what the others would take for sent.
  const proof = prove(form);
  guardSending(form, proof);
  rememberAnswers(form);
  countCharacters(form);
  if ((proof && !proof.done) || !canSend()) offerOwnWindow(form);
}
// The answers are in safe hands.
if (document.querySelector('[data-sent], [data-saved]')) forgetAnswers(location.pathname);
showFaults();
offerActions();
if (parent !== self) reportHeight();
