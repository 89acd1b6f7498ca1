import { say } from './say';

/** Leads to the faults: browsers do not all put the focus where the page asks for it, or where a link within the page leads. */
export function showFaults(): void {
  const first = document.querySelector<HTMLElement>('[autofocus]');
  // After the browser's own turn, which it takes before it paints.
  if (first) requestAnimationFrame(() => setTimeout(() => first.focus()));
  document.querySelector('.summary')?.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    const control = link && document.getElementById(link.hash.slice(1));
    if (!control) return;
    event.preventDefault();
    control.focus({ preventScroll: true });
    // The label is above the control.
    (control.closest('.item') ?? control).scrollIntoView();
  });
}

/** Shows the buttons that need a script. */
export function offerActions(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
  // Browsers lend the clipboard to pages with TLS alone.
  for (const copy of isSecureContext ? document.querySelectorAll<HTMLElement>('[data-copy]') : []) {
    copy.hidden = false;
    copy.addEventListener('click', () => {
      void navigator.clipboard.writeText(copy.dataset.copy ?? '').then(() => say(copy.dataset.copied));
    });
  }
  // An answer by radio buttons can be taken back once there is one.
  for (const none of document.querySelectorAll<HTMLElement>('.none'))
    none.closest('fieldset')?.addEventListener('change', () => (none.hidden = false));
}
