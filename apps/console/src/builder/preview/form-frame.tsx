import { calculated } from '@sheaf/formulas';
import { answerInParts, isEmptyItem, keyInItem, themeCss, writtenResult, type Writing } from '@sheaf/form-view';
import {
  answerFormOf,
  fieldsOf,
  isComputed,
  isField,
  isRepeat,
  offeredOptions,
  requirement,
  visibility,
  type Field,
  type FormItem,
  type FormSettings,
  hasFiles,
} from '@sheaf/contracts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { applyTheme, type Theme } from '../../shell/theme';
import { againHash } from './preview-view';
import { takeOver, typedIn } from './typed-in-page';

/** The values that somebody entered on a page: texts by the key of the field, and the names of chosen files. */
export interface Entered {
  values: ReadonlyMap<string, readonly string[]>;
  files: ReadonlyMap<string, readonly string[]>;
}

interface FormFrameProps {
  html: string;
  /** The name of the page. Another one begins at its top, and with nothing typed. */
  place: string;
  /** The item, by its number, that is being worked on: it is marked, and scrolled to. */
  spot: number | undefined;
  title: string;
  className: string;
  look: Theme;
  theme: FormSettings['theme'];
  items: readonly FormItem[];
  language: string;
  /** The day in the time zone of the form. */
  today: string;
  /** The answers on earlier pages, on which conditions of this one may depend. */
  earlier: Readonly<Record<string, unknown>>;
  /** A button of the page was pressed, such as `continue` or `change:name`. */
  onPress: (action: string, entered: Entered) => void;
  onLanguage: (language: string) => void;
  /** The link that leads from the receipt to another submission. */
  onAgain: () => void;
}

/**
 * A page of a form in a frame. The page has no scripts, and the frame runs none; what its buttons do is done here. As on the real page,
 * conditions are followed while somebody answers.
 */
export function FormFrame({
  html,
  place,
  spot,
  title,
  className,
  look,
  theme,
  onPress,
  onLanguage,
  onAgain,
  items,
  language,
  today,
  earlier,
}: FormFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(() => begun(html));
  // Undefined until the frame has loaded.
  const shown = useRef<{ html: string; place: string; spot?: number | undefined }>(undefined);
  const submitted = useEffectEvent((event: SubmitEvent) => {
    event.preventDefault();
    const { target, submitter } = event;
    takeOver(target as HTMLFormElement);
    onPress((submitter as HTMLButtonElement | null)?.value ?? '', enteredIn(target as HTMLFormElement));
  });
  const clicked = useEffectEvent((event: MouseEvent, page: Document) => follow(event, page, { onLanguage, onAgain }));
  const entered = useEffectEvent((page: Document) => followConditions(page, { items, earlier, language, today }));
  const prepare = useEffectEvent((page: Document) => {
    shown.current = { html: first, place };
    dress(page, theme);
    applyTheme(look, page);
    // The document stays while its pages change: each event is for the page of its time.
    page.addEventListener('submit', (event) => submitted(event));
    page.addEventListener('click', (event) => clicked(event, page));
    page.addEventListener('input', () => entered(page));
    update(page);
  });
  const update = useEffectEvent((page: Document) => {
    if (!shown.current) return;
    const before = shown.current;
    const next = begun(html);
    // Its parts are exchanged, as a frame that loads anew would flicker with each key that is typed beside it.
    if (before.html !== next || before.place !== place) {
      const keep = before.place === place ? typedIn(page) : undefined;
      exchange(page, next);
      keep?.();
    }
    if (before.place !== place) page.scrollingElement?.scrollTo(0, 0);
    shown.current = { html: next, place, spot };
    followConditions(page, { items, earlier, language, today });
    const marked = spot === undefined ? undefined : page.getElementById(`i-${spot}`);
    marked?.setAttribute('data-spot', '');
    if (before.spot !== spot || before.place !== place) marked?.scrollIntoView({ block: 'nearest' });
    // People may be typing beside it.
    if (document.activeElement === frame.current) page.querySelector<HTMLElement>('[data-begin]')?.focus();
  });
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page) update(page);
  }, [html, place, spot]);
  const onLoad = () => {
    const page = frame.current?.contentDocument;
    if (page) prepare(page);
  };
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page?.styleSheets.length) applyTheme(look, page);
  }, [look]);
  // Without `allow-scripts`: whatever authors write stays text.
  return <iframe ref={frame} title={title} className={className} srcDoc={first} sandbox="allow-same-origin allow-forms" onLoad={onLoad} />;
}

/** Adds the style sheet of the form's theme, which the real page loads from the form's address. */
function dress(page: Document, theme: FormSettings['theme']): void {
  const css = theme ? themeCss(theme) : '';
  if (css === '' || !page.defaultView || !('adoptedStyleSheets' in page)) return;
  const { CSSStyleSheet: Sheet } = page.defaultView;
  const sheet = new Sheet();
  sheet.replaceSync(css);
  page.adoptedStyleSheets = [sheet];
}

/** Shows another page in a document that has loaded. The frame runs no scripts, whatever the page has. */
function exchange(page: Document, html: string): void {
  const { documentElement, body, title } = new DOMParser().parseFromString(html, 'text/html');
  page.documentElement.lang = documentElement.lang;
  page.documentElement.dir = documentElement.dir;
  page.title = title;
  page.body.replaceChildren(...body.childNodes);
}

/** Browsers refuse to put the focus by themselves where no scripts run, with an error: it is put there after loading. */
const begun = (html: string): string => html.replaceAll(' autofocus=""', ' data-begin=""');

/** Links lead to a control of the page or to another language; those of the author lead nowhere. */
function follow(event: MouseEvent, page: Document, { onLanguage, onAgain }: Pick<FormFrameProps, 'onLanguage' | 'onAgain'>): void {
  const link = (event.target as Element).closest('a');
  if (!link) return;
  event.preventDefault();
  if (link.target !== '') return;
  if (link.hreflang !== '') return onLanguage(link.hreflang);
  if (link.hash === againHash) return onAgain();
  const control = page.getElementById(link.hash.slice(1));
  control?.focus({ preventScroll: true });
  (control?.closest('.item') ?? control)?.scrollIntoView();
}

function enteredIn(form: HTMLFormElement): Entered {
  const values = new Map<string, string[]>();
  const files = new Map<string, string[]>();
  for (const [name, value] of new FormData(form)) {
    const [, kind, key] = /^(a|file)\.((?:[^.]*\[\d+\]\.)?[^.]*)/.exec(name) ?? [];
    if (kind === undefined || key === undefined) continue;
    const text = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value.name;
    const found = kind === 'a' ? values : files;
    if (kind === 'a' || text !== '') found.set(key, [...(found.get(key) ?? []), text]);
  }
  return { values, files };
}

function followConditions(
  page: Document,
  { items, earlier, language, today }: Pick<FormFrameProps, 'items' | 'earlier' | 'language' | 'today'>,
): void {
  const form = page.querySelector('form');
  if (!form) return;
  const { values, files } = enteredIn(form);
  const onPage = new Set(fieldsOf(items).flatMap(({ key }) => (page.getElementById(`i-${indexOf(items, key)}`) ? [key] : [])));
  const answers: Record<string, unknown> = Object.fromEntries(Object.entries(earlier).filter(([key]) => !onPage.has(key)));
  const isShown = visibility();
  const isRequired = requirement();
  const follow = (item: FormItem, known: Record<string, unknown>, { index, key }: { index: string; key?: string }): unknown => {
    const isHere = isShown(item, known);
    const element = page.getElementById(`i-${index}`);
    if (!element) return undefined;
    element.hidden = !isHere;
    if (!isHere || !isField(item)) return undefined;
    if (isRepeat(item)) return followItems(item, known, index);
    if (isComputed(item)) {
      const result = calculated(items, item, { answers: known, today: () => today });
      const output = element.querySelector('output');
      const text = output?.querySelector('bdi');
      if (output && text) text.textContent = writtenResult(result, JSON.parse(output.dataset.writing ?? '') as Writing);
      return result;
    }
    const optional = element.querySelector<HTMLElement>('.optional');
    if (optional) optional.hidden = isRequired(item, known);
    const offered = offeredOptions(item, known);
    for (const option of element.querySelectorAll<HTMLInputElement | HTMLOptionElement>('input[data-if], option[data-if]'))
      offer(option, offered?.has(option.value) !== false);
    const chosen = (values.get(key ?? item.key) ?? []).filter((value) => offered?.has(value) !== false);
    return hasFiles(item) && files.has(item.key) ? files.get(item.key) : answerInParts(answerFormOf(item), chosen, language);
  };
  const followItems = ({ key, fields = [] }: Field, before: Record<string, unknown>, index: string): unknown => {
    const all = Array.from({ length: Number(values.get(key)?.[0] ?? 0) }, (_, at) => {
      const known = { ...before };
      const answered = fields.flatMap((field, question): [string, unknown][] => {
        const answer = follow(field, known, { index: `${index}.${at}.${question}`, key: keyInItem(key, at, field.key) });
        if (answer === undefined) return [];
        known[field.key] = answer;
        return [[field.key, answer]];
      });
      return Object.fromEntries(answered);
    }).filter((item) => !isEmptyItem({ key, fields }, item));
    return all.length > 0 ? all : undefined;
  };
  items.forEach((item, index) => {
    const answer = follow(item, answers, { index: String(index) });
    if (answer !== undefined && isField(item)) answers[item.key] = answer;
  });
}

/** Shows an option, or hides it and takes it back. */
function offer(option: HTMLInputElement | HTMLOptionElement, isOffered: boolean): void {
  const isBox = 'checked' in option;
  (isBox ? (option.parentElement ?? option) : option).hidden = !isOffered;
  option.disabled = !isOffered;
  if (isOffered) return;
  if (isBox) option.checked = false;
  else option.selected = false;
}

const indexOf = (items: readonly FormItem[], key: string): number => items.findIndex((item) => isField(item) && item.key === key);
