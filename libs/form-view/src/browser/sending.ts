import type { Proof } from './prove';
import { say } from './say';

/** After this time somebody who clicks again means it: the connection may have been lost. */
const patience = 8_000;

/**
 * Ignores a second click while the page is on its way; sending twice would do no harm, but two answers race for the window. A page that
 * has to prove some work waits for it before it sends.
 * @param proof whether the work is done, and when it will be; undefined if there is none to do
 */
export function guardSending(form: HTMLFormElement, proof: Proof | undefined): void {
  let sentAt = -Infinity;
  form.addEventListener('submit', (event) => {
    const submitter = event.submitter as HTMLButtonElement | null;
    const isFinal = submitter?.value === 'send';
    if (event.timeStamp - sentAt < patience) {
      event.preventDefault();
      return;
    }
    if (isFinal && proof && !proof.isDone) {
      event.preventDefault();
      say(form.dataset.checking);
      void proof.done?.then(() => form.requestSubmit(submitter));
      return;
    }
    sentAt = event.timeStamp;
    if (isFinal) say(form.dataset.sending);
  });
  // A page that comes back out of the browser's cache is as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    sentAt = -Infinity;
    say('');
  });
}
