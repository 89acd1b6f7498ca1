import { attempt } from './remember';

/**
 * A page that answers a POST has no address that GET answers if its answers are too long for one: they are kept, encrypted as they would be
 * there, with the page's own entry in the history of the tab. Reload, Back and Forward get the page from the server by it, instead of asking
 * whether to send once more.
 * @returns nothing where the untouched form, to which the address leads everybody else, makes room for that page
 */
export function returning(form: HTMLFormElement | null): HTMLFormElement | null {
  const place = form?.dataset.place;
  if (place) attempt(() => history.replaceState(place, ''));
  else if (history.state) {
    document.body.innerHTML = '<form method="post"><input type="hidden" name="place">';
    const kept = document.querySelector('input');
    if (kept) kept.value = String(history.state);
    kept?.form?.submit();
    return null;
  }
  return form;
}
