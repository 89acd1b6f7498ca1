// Lets people search long lists of options. Without it, a list box is the browser's own, and a list shows all of its options.
import { folded } from '@sheaf/contracts';
import { sentenceOf } from './counters';

const form = document.querySelector<HTMLFormElement>('main form');
if (form) {
  for (const box of form.querySelectorAll<HTMLElement>('.find')) narrow(box, teller(box, form.dataset));
  for (const box of form.querySelectorAll<HTMLElement>('.combo')) combine(box, teller(box, form.dataset));
}

/** The test whether a text has all words of what somebody looks for, whatever their case and accents. */
function finding(wanted: string): (text: string) => boolean {
  const words = folded(wanted).split(/\s+/);
  return (text) => words.every((word) => text.includes(word));
}

/** Sets the attributes that have a value. Not all browsers know their properties. */
function set(element: Element, attributes: Readonly<Record<string, string | number | boolean | null>>): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, String(value));
}

type Tell = (count: number | undefined) => void;

/** Says in a pause how many options were found, to the eyes and the ears; undefined where nobody searches any more. */
function teller(box: HTMLElement, { found = '', noneFound = '', counted = '' }: DOMStringMap): Tell {
  const status = box.querySelector('p');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (text: string) => status?.replaceChildren(text);
  return (count) => {
    clearTimeout(timer);
    if (count === undefined) show('');
    else
      timer = setTimeout(
        () => show(count === 0 ? noneFound : sentenceOf(JSON.parse(found) as Parameters<typeof sentenceOf>[0], count, counted)),
        500,
      );
  };
}

/** The text of a search is no answer, so other scripts do not hear of it. */
function keepToItself(input: HTMLElement): void {
  for (const name of ['input', 'change']) input.addEventListener(name, (event) => event.stopPropagation());
}

/** Hides the options of a list that are not looked for. Those that are chosen stay in sight. */
function narrow(box: HTMLElement, tell: Tell): void {
  const input = box.querySelector('input');
  if (!input) return;
  const rows = [...(box.parentElement?.querySelectorAll<HTMLElement>('.choice:not([data-stays], .none)') ?? [])];
  const texts = rows.map((row) => folded(row.textContent));
  box.hidden = false;
  keepToItself(input);
  input.addEventListener('input', () => {
    const isFound = finding(input.value);
    let count = 0;
    rows.forEach((row, at) => {
      const fits = isFound(texts[at] ?? '');
      row.classList.toggle('unfound', !fits && !row.querySelector(':checked'));
      if (fits && !row.hidden) count++;
    });
    tell(input.value.trim() ? count : undefined);
  });
  // It would send the form.
  input.addEventListener('keydown', (event) => event.key === 'Enter' && event.preventDefault());
}

/**
 * Puts a combobox in the place of a list box, which stays behind it and keeps the answer: other scripts find, change and hide its options as before.
 * Written after the pattern of the ARIA Authoring Practices, an editable combobox with a list.
 */
function combine(box: HTMLElement, tell: Tell): void {
  const select = box.querySelector('select');
  if (!select) return;
  const input = document.createElement('input');
  const list = document.createElement('ul');
  let active: HTMLElement | undefined;

  const offered = () => [...select.options].filter(({ value, hidden }) => value !== '' && !hidden);
  const chosenText = () => (select.value === '' ? '' : (select.selectedOptions[0]?.text ?? ''));
  const isOpen = () => !list.hidden;
  const restore = () => (input.value = chosenText());
  const optionOf = (row: HTMLElement) => select.options[Number(row.dataset.at)];

  const activate = (row: HTMLElement | undefined) => {
    active?.classList.remove('active');
    active = row;
    row?.classList.add('active');
    row?.scrollIntoView({ block: 'nearest' });
    if (row) input.setAttribute('aria-activedescendant', row.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = (isShown: boolean) => {
    list.hidden = !isShown;
    input.setAttribute('aria-expanded', String(isShown));
    activate(undefined);
    if (!isShown) tell(undefined);
  };
  const rows = () => [...list.children] as HTMLElement[];
  const isUsable = (row: HTMLElement) => optionOf(row)?.disabled === false;
  /** Lists what is looked for; all options, if nothing is. @returns the options that fit */
  const open = (wanted = ''): HTMLOptionElement[] => {
    const isFound = finding(wanted);
    const found = offered().filter((option) => isFound(folded(option.text)));
    const listed = offered().filter((option) => found.includes(option) || option.dataset.stays !== undefined);
    list.replaceChildren(...listed.map(rowOf));
    show(listed.length > 0);
    if (wanted) tell(found.length);
    return found;
  };
  const rowOf = (option: HTMLOptionElement) => {
    const row = document.createElement('li');
    set(row, {
      ...{ id: `${list.id}-${option.index}`, role: 'option', 'data-at': option.index },
      ...{ 'aria-selected': option.selected, 'aria-disabled': option.disabled || null },
    });
    const text = document.createElement('bdi');
    text.textContent = option.text;
    // The end of a group of its own.
    row.classList.toggle('last', option.nextElementSibling?.tagName === 'HR');
    // An empty one would say that the language is not known.
    if (option.lang) text.lang = option.lang;
    row.append(text);
    return row;
  };
  const choose = (option: HTMLOptionElement | undefined) => {
    const value = option?.value ?? '';
    show(false);
    if (select.value !== value) {
      select.value = value;
      for (const name of ['input', 'change']) select.dispatchEvent(new Event(name, { bubbles: true }));
    }
    restore();
  };
  /** Takes what was typed for an answer where it can be meant for one option alone. */
  const leave = () => {
    const typed = input.value.trim();
    show(false);
    if (typed === chosenText()) return;
    if (typed === '') return choose(undefined);
    const isFound = finding(typed);
    const usable = offered().filter(({ disabled }) => !disabled);
    const found = usable.filter(({ text }) => isFound(folded(text)));
    // Browsers fill in the code of a country, or its name.
    const same = usable.filter(({ text, value }) => [text, value].map(folded).includes(folded(typed)));
    const [only] = same.length > 0 ? same : found;
    if (only && (same.length > 0 || found.length === 1)) choose(only);
    else restore();
  };
  const move = (by: 1 | -1) => {
    if (!isOpen()) {
      open();
      const chosen = rows().find((row) => optionOf(row)?.selected);
      if (chosen) return activate(chosen);
    }
    const usable = rows().filter(isUsable);
    const at = active ? usable.indexOf(active) + by : by === 1 ? 0 : -1;
    activate(usable.at(at % Math.max(usable.length, 1)));
  };

  const keys: Partial<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    // As in a list box, it does not send the form.
    Enter: () => {
      if (!isOpen()) open();
      else if (active) choose(optionOf(active));
      else leave();
    },
    Escape: () => {
      show(false);
      restore();
    },
  };
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const act = keys[event.key];
    if (act) {
      event.preventDefault();
      act(event);
    } else if (event.key === 'Tab' && active) choose(optionOf(active));
  });
  keepToItself(input);
  input.addEventListener('input', () => open(input.value.trim()));
  input.addEventListener('click', () => (isOpen() ? show(false) : open()));
  input.addEventListener('focus', () => input.select());
  // The browser fills it in without the focus.
  for (const name of ['change', 'blur']) input.addEventListener(name, leave);
  // The focus stays in the field.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const row = (target as Element).closest('li');
    if (row && isUsable(row)) choose(optionOf(row));
  });
  // Conditions may take the answer back, and the browser may fill it in.
  select.addEventListener('change', restore);

  const label = select.labels[0];
  if (label) label.id = `n${select.id}`;
  set(list, { id: `l${select.id}`, role: 'listbox', 'aria-labelledby': label?.id ?? null });
  list.hidden = true;
  set(input, {
    ...{ id: select.id, role: 'combobox', autocomplete: select.getAttribute('autocomplete') ?? 'off', spellcheck: false },
    ...{ 'aria-autocomplete': 'list', 'aria-expanded': false, 'aria-controls': list.id },
    ...Object.fromEntries(['aria-describedby', 'aria-invalid'].map((name) => [name, select.getAttribute(name)])),
  });
  input.placeholder = select.options[0]?.text ?? '';
  select.removeAttribute('id');
  select.hidden = true;
  select.after(input, list);
  restore();
}
