import { offeredOptions, requirement, visibility, type Condition, type FormItem, type Offered } from '@sheaf/contracts';
import { innerKey } from '../filling/item-keys';
import { answerIn } from './entered';
import { say } from './say';

/** Computes and shows the result of a calculated field. @returns the answer, for conditions */
export type Calculate = (element: HTMLElement, answers: Readonly<Record<string, unknown>>, today: string) => unknown;

/**
 * Shows and hides questions while somebody answers. The server does the same once the page is sent.
 * @param calculate for pages with formulas
 */
export function followAnswers(form: HTMLFormElement, calculate?: Calculate): void {
  const items = itemsIn(form).filter(({ element }) => !element.closest('[data-repeated]'));
  const earlier = JSON.parse(form.dataset.earlier ?? '{}') as Record<string, unknown>;
  const shown = form.elements.namedItem('shown') as HTMLInputElement;

  let hasSaid = false;

  const update = (event?: Event) => {
    let entered = new FormData(form);
    const isShown = visibility();
    const isRequired = requirement();
    const indexes: string[] = [];
    const removed: Choice[] = [];
    // In an item of a repeat, conditions and formulas know what stands before it, and its own answers.
    const follow = (all: readonly Item[], answers: Record<string, unknown>): Record<string, unknown> => {
      const here: Record<string, unknown> = {};
      for (const item of all) {
        const { element, repeated } = item;
        element.hidden = !isShown(item, answers);
        if (element.hidden) continue;
        indexes.push(element.id.slice(2));
        const optional = element.querySelector<HTMLElement>('.optional');
        if (item.required_if && optional) optional.hidden = isRequired(item, answers);
        const offered = offeredOptions(item, answers);
        const lost = offered ? offer(item.choices, offered) : [];
        if (lost.length > 0) {
          removed.push(...lost);
          entered = new FormData(form);
        }
        const { key, formula } = element.dataset;
        if (!key) continue;
        const name = innerKey(key);
        const answer = repeated
          ? listOrNone(
              repeated
                .map((each) => [each, follow(each, { ...answers })] as const)
                .flatMap(([each, found]) => (isAnswered(each, found) ? [found] : [])),
            )
          : formula && calculate
            ? calculate(element, answers, form.dataset.today ?? '')
            : answerIn(entered, element, form.dataset.language ?? '');
        answers[name] = answer;
        if (answer !== undefined) here[name] = answer;
      }
      return here;
    };
    follow(items, { ...earlier });
    shown.value = indexes.join(' ');
    // As if somebody had taken them back, so that nothing puts them back later. The updates that follow find nothing more to remove.
    for (const choice of removed) (choice.closest('select') ?? choice).dispatchEvent(new Event('change', { bubbles: true }));
    // A page that has just been opened has taken nothing from its reader.
    if (event && removed.length > 0) {
      say(`${form.dataset.removed ?? ''} ${listOf(removed, form.dataset.listed)}`);
      hasSaid = true;
    } else if (hasSaid && event?.type === 'input') {
      // A choice makes both events; `change` alone is no news.
      say('');
      hasSaid = false;
    }
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
}

type Choice = HTMLInputElement | HTMLOptionElement;

interface Item {
  element: HTMLElement;
  type: FormItem['type'];
  visible_if: Condition | undefined;
  required: true;
  required_if: Condition | undefined;
  choices: Choice[];
  options: { value: string; visible_if: Condition | undefined }[];
  /** Of a repeat, the questions of each item. */
  repeated: Item[][] | undefined;
}

const itemsIn = (part: Element): Item[] =>
  [...part.querySelectorAll<HTMLElement>('[data-type]')].map((element) => {
    const { type, answer, if: visibleIf, requiredIf } = element.dataset;
    const repeated = answer === 'items' ? [...element.querySelectorAll('[data-repeated]')].map(itemsIn) : undefined;
    const choices = repeated ? [] : choicesIn(element);
    return {
      element,
      type: type as FormItem['type'],
      visible_if: conditionIn(visibleIf),
      required: true,
      required_if: conditionIn(requiredIf),
      choices,
      options: choices.map((choice) => ({ value: choice.value, visible_if: conditionIn(choice.dataset.if) })),
      repeated,
    };
  });

/** Whether somebody has answered anything in an item of a repeat: what is computed there does not count. */
const isAnswered = (item: readonly Item[], answers: Record<string, unknown>): boolean =>
  item.some(({ element: { dataset } }) => !dataset.formula && Object.hasOwn(answers, innerKey(dataset.key ?? '')));

const listOrNone = <Each>(list: Each[]): Each[] | undefined => (list.length > 0 ? list : undefined);

/** The options of a question, without what stands for no answer. */
function choicesIn(element: HTMLElement): Choice[] {
  return [...element.querySelectorAll<Choice>('.choice input, option')].filter(({ value }) => value !== '');
}

/** Shows the options that are offered. @returns those that were chosen, and are not any more */
function offer(choices: readonly Choice[], offered: Offered): Choice[] {
  const removed: Choice[] = [];
  for (const choice of choices) {
    if (!choice.dataset.if) continue;
    const isOffered = offered.has(choice.value);
    choice.disabled = !isOffered || choice.dataset.full !== undefined;
    if (choice instanceof HTMLOptionElement) {
      choice.hidden = !isOffered;
      if (isOffered || !choice.selected) continue;
      choice.selected = false;
    } else {
      const row = choice.parentElement;
      if (row) row.hidden = !isOffered;
      if (isOffered || !choice.checked) continue;
      choice.checked = false;
    }
    removed.push(choice);
  }
  return removed;
}

/** Their labels as a sentence lists them. Each is isolated, as it may have another direction, or characters that change it. */
function listOf(choices: readonly Choice[], language: string | undefined): string {
  const labels = choices.map((choice) => (choice instanceof HTMLOptionElement ? choice.text : (choice.parentElement?.textContent ?? '')));
  return new Intl.ListFormat(language).format(labels.map((label) => `\u2068${label.replace(/[\u2066-\u2069]/g, '')}\u2069`));
}

function conditionIn(json: string | undefined): Condition | undefined {
  return json ? (JSON.parse(json) as Condition) : undefined;
}
