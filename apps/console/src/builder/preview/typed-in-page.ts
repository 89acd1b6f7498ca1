const controls = 'input:not([type=hidden]), select, textarea';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Remembers what was typed and chosen in a page. @returns puts it into the page's next state, as far as that has the same controls */
export function typedIn(page: Document): () => void {
  const before = named(page);
  return () => {
    for (const [name, control] of named(page)) {
      const old = before.get(name);
      if (old) carry(old, control);
    }
  };
}

/** The page's next state has what was entered in items so far. It is not put there again, as another item may have the number by then. */
export function takeOver(page: Element): void {
  for (const control of page.querySelectorAll<Control>(`[data-repeated] :is(${controls})`)) {
    if ('options' in control) for (const option of control.options) option.defaultSelected = option.selected;
    else if (isBox(control)) control.defaultChecked = control.checked;
    else control.defaultValue = control.value;
  }
}

/** Each control by what it is for. Several may be for the same, one after another. */
function named(page: Document): Map<string, Control> {
  const found = new Map<string, Control>();
  for (const control of page.querySelectorAll<Control>(controls)) {
    const what = [control.name, control.type, isBox(control) ? control.value : ''].join(' ');
    let nth = 0;
    while (found.has(`${nth} ${what}`)) nth += 1;
    found.set(`${nth} ${what}`, control);
  }
  return found;
}

const isBox = (control: Control): control is HTMLInputElement => control.type === 'checkbox' || control.type === 'radio';

/** Only what a person changed: all else follows the form. */
function carry(old: Control, next: Control): void {
  if ('options' in old && 'options' in next) {
    const changed = new Map(
      [...old.options].flatMap((option) => (option.selected === option.defaultSelected ? [] : [[option.value, option.selected]])),
    );
    for (const option of next.options) option.selected = changed.get(option.value) ?? option.selected;
  } else if (isBox(old) && isBox(next)) {
    if (old.checked !== old.defaultChecked) next.checked = old.checked;
  } else if (old.type === 'file' && next.type === 'file') {
    if ('files' in old && 'files' in next) next.files = old.files;
  } else if (!('options' in old) && !('options' in next) && old.value !== old.defaultValue) next.value = old.value;
}
