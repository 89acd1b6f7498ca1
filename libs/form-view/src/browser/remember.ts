import { rewriteNumber } from '../answers/read-number';

/** The answers that were typed or chosen in this tab, by the name of the control and its part of the answer; after a number, the language in which it was typed. */
type Remembered = Partial<Record<string, string[]>>;

/** The same for all steps, the receipt and saved answers: `/f/<form>`. Kept there is the place of the page that was sent last, by its token. */
const formOf = (path: string): string => path.split('/').slice(0, 3).join('/');

/**
 * The place in which the answers of a page are kept. A link with other values may be another person's, so those that it fills in are part
 * of the place. They are in the address of the first page alone: what follows has the place of the page that was sent, if that was the same
 * attempt.
 */
function placeOf({ elements }: HTMLFormElement, form: string, token: string): string {
  if (elements.namedItem('begun')) return read(form)[token]?.[0] ?? form + token;
  const filled = new URLSearchParams([...new URLSearchParams(location.search)].filter(([key]) => elements.namedItem(`a.${key}`)));
  filled.sort();
  return `${form}?${filled}`;
}

/**
 * Keeps answers in this tab until they are sent, and puts them back when somebody returns to the page: after a reload, in another language,
 * or through the browser's history. Files cannot be kept. Only what somebody entered is kept, so that a link can still fill in the rest.
 */
export function rememberAnswers(form: HTMLFormElement): void {
  const path = formOf(new URL(form.action).pathname);
  const token = (form.elements.namedItem('token') as HTMLInputElement | null)?.value ?? '';
  const place = placeOf(form, path, token);
  const { language = '' } = form.dataset;
  const drawn = itemsDrawn(form, language);
  const kept = read(place);
  const remembered = kept[itemsAsDrawn]?.[0] === drawn ? kept : withoutItems(kept);
  remembered[itemsAsDrawn] = [drawn];
  // A respondent who entered answers before this page was loaded took the time that this page alone may not have seen.
  const confirmed = form.elements.namedItem('confirmed') as HTMLInputElement | null;

  const lists: Partial<Record<string, number>> = {};
  for (const control of form.elements as Iterable<Element> as Iterable<HTMLInputElement>) {
    const { type } = control;
    const name = keptAs(control);
    const values = remembered[name];
    // The hidden ones carry the answers of other steps, one each for several choices.
    if (!values || type === 'hidden') continue;
    // The lists of a ranking share a name, and have a value each.
    const at = isOneOfSeveral(control) ? 0 : (lists[name] ?? 0);
    lists[name] = at + 1;
    putBack(control, values.slice(at), language);
    if (confirmed) confirmed.value = '1';
  }
  const remember = ({ target }: Event) => {
    const control = target as HTMLInputElement;
    const { name, type } = control;
    if (!name.startsWith('a.') || type === 'hidden') return;
    remembered[keptAs(control)] = isNumber(control)
      ? [control.value, language]
      : control.dataset.part
        ? [control.value]
        : new FormData(form).getAll(name).map(String);
    write(place, remembered);
  };
  form.addEventListener('input', remember);
  form.addEventListener('change', remember);
  form.addEventListener('submit', ({ submitter, defaultPrevented }) => {
    if (defaultPrevented) return;
    write(path, { [token]: [place] });
    const { value: pressed = '' } = (submitter ?? {}) as Partial<HTMLButtonElement>;
    // The server gives them other numbers, and draws whatever was entered.
    write(place, withoutItems(remembered));
    // Sending leads to another site, and there is no receipt on which to forget.
    if ('leaves' in form.dataset && pressed === 'send') forgetAnswers(path);
  });
}

/** The key for the items of repeats as the server drew them; those of answers have a point. */
const itemsAsDrawn = 'items';

const isInItem = (name: string): boolean => /^a\.[^.[]+\[/.test(name);

const withoutItems = (remembered: Remembered): Remembered =>
  Object.fromEntries(Object.entries(remembered).filter(([name]) => name.startsWith('a.') && !isInItem(name)));

/**
 * Tells pages apart by the items that the server drew, in any language: their numbers mean other items on another page, to which the
 * browser's history may lead.
 */
function itemsDrawn(form: HTMLFormElement, language: string): string {
  const inItems = ([...form.elements] as HTMLInputElement[]).filter(({ name, type }) => isInItem(name) && type !== 'hidden');
  return JSON.stringify(
    inItems.map((control) => [
      control.name,
      control instanceof HTMLSelectElement
        ? [...control.options].findIndex(({ defaultSelected }) => defaultSelected)
        : isOneOfSeveral(control)
          ? control.defaultChecked
          : isNumber(control)
            ? rewriteNumber(control.defaultValue, language, 'en')
            : control.defaultValue,
    ]),
  );
}

/** Forgets the answers of the page that was sent last. */
export function forgetAnswers(path: string): void {
  const form = formOf(path);
  for (const place of [...Object.values(read(form)).flat(), form]) attempt(() => sessionStorage.removeItem(place ?? ''));
}

/** The parts of an answer share a name, and a form that was published again may have others, or another order of them. */
const keptAs = ({ name, dataset }: HTMLInputElement): string => `${name} ${dataset.part ?? ''}`.trim();

/** Whether it holds a number that is typed in the way of the page's language; the choices of a rating are the same in all. */
const isNumber = (control: HTMLInputElement): boolean =>
  control.type === 'text' && /number|whole/.test(control.closest<HTMLElement>('[data-answer]')?.dataset.answer ?? '');

const isOneOfSeveral = ({ type }: Pick<HTMLInputElement, 'type'>): boolean => /^(?:radio|checkbox)$/.test(type);

/** Lists and larger texts have a value as fields do. A list may have lost the option that was chosen, and would show nothing then. */
function putBack(control: HTMLInputElement | HTMLSelectElement, values: readonly string[], language: string): void {
  const [value = '', typedIn = language] = values;
  if (control instanceof HTMLSelectElement) {
    if ([...control.options].some((option) => option.value === value && !isFull(option))) control.value = value;
  } else if (isOneOfSeveral(control)) control.checked = values.includes(control.value) && !isFull(control);
  else control.value = isNumber(control) ? rewriteNumber(value, typedIn, language) : value;
}

/** Whether it has no place left: chosen, it would look like an answer, and not be sent. */
const isFull = ({ dataset }: HTMLElement): boolean => dataset.full !== undefined;

function read(place: string): Remembered {
  return attempt(() => JSON.parse(sessionStorage.getItem(place) ?? '{}') as Remembered) ?? {};
}

const write = (place: string, kept: Remembered): void => attempt(() => sessionStorage.setItem(place, JSON.stringify(kept)));

/** Storage may be full, or forbidden for a page inside another one. Then nothing is remembered. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
