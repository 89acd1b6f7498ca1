import { isTypedNumber } from '../answers/answer-of';
import { rewriteNumber } from '../answers/read-number';

/** The answers that were typed or chosen in this tab, by the name of the control; after a number, the language in which it was typed. */
type Remembered = Record<string, string[]>;

/** A form keeps its place in the storage through all its steps, its receipt and its saved answers: `/f/<form>`. */
const placeOf = (path: string): string => path.split('/').slice(0, 3).join('/');

/**
 * Keeps answers in this tab until they are sent, and puts them back when somebody returns to the page: after a reload, in another language,
 * or through the browser's history. Files cannot be kept. Only what somebody entered is kept, so that a link can still fill in the rest.
 */
export function rememberAnswers(form: HTMLFormElement): void {
  const place = placeOf(new URL(form.action).pathname);
  const remembered = read(place);
  const { language = '' } = form.dataset;
  // Whoever entered answers before this page was loaded took the time that this page alone may not have seen.
  const confirmed = form.elements.namedItem('confirmed') as HTMLInputElement | null;

  for (const control of form.elements) {
    const { name = '', type } = control as Partial<HTMLInputElement>;
    const values = remembered[name];
    // The hidden ones carry the answers of other steps, one each for several choices.
    if (!values || type === 'hidden') continue;
    putBack(control, values, language);
    if (confirmed) confirmed.value = '1';
  }
  const remember = ({ target }: Event) => {
    const control = target as HTMLInputElement;
    const { name, type } = control;
    if (!name.startsWith('a.') || type === 'hidden') return;
    remembered[name] = isNumber(control) ? [control.value, language] : new FormData(form).getAll(name).map(String);
    write(place, remembered);
  };
  form.addEventListener('input', remember);
  form.addEventListener('change', remember);
  form.addEventListener('submit', ({ submitter, defaultPrevented }) => {
    // Sending leads to another site, and there is no receipt on which to forget.
    if (!defaultPrevented && 'leaves' in form.dataset && (submitter as HTMLButtonElement | null)?.value === 'send') forgetAnswers(place);
  });
}

export const forgetAnswers = (path: string): void => attempt(() => sessionStorage.removeItem(placeOf(path)));

const isNumber = (control: Element): boolean => isTypedNumber(control.closest<HTMLElement>('[data-type]')?.dataset.type);

function putBack(control: Element, values: readonly string[], language: string): void {
  if (control instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(control.type)) control.checked = values.includes(control.value);
  else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement)
    control.value = isNumber(control) ? rewriteNumber(values[0] ?? '', values[1] ?? language, language) : (values[0] ?? '');
}

function read(place: string): Remembered {
  return attempt(() => JSON.parse(sessionStorage.getItem(place) ?? '{}') as Remembered) ?? {};
}

const write = (place: string, remembered: Remembered): void => attempt(() => sessionStorage.setItem(place, JSON.stringify(remembered)));

/** Storage may be full, or forbidden for a page inside another one. Then nothing is remembered. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
