// Follows the conditions of a page that has any, after page.ts has put back what was entered. Without it, the server shows the questions that
// are missing once the page is sent.
import { requirement, visibility, type AnswerForm, type AnswerKind, type Condition, type FormItem } from '@sheaf/contracts';
import { answerOf } from '../answers/answer-of';

const form = document.querySelector<HTMLFormElement>('main form');
if (form) followConditions(form);

/** Shows and hides questions while somebody answers. The server does the same once the page is sent. */
function followConditions(form: HTMLFormElement): void {
  const items = [...form.querySelectorAll<HTMLElement>('[data-type]')].map((element) => ({
    element,
    type: element.dataset.type as FormItem['type'],
    visible_if: conditionIn(element.dataset.if),
    required: true,
    required_if: conditionIn(element.dataset.requiredIf),
  }));
  const earlier = JSON.parse(form.dataset.earlier ?? '{}') as Record<string, unknown>;
  const shown = form.elements.namedItem('shown') as HTMLInputElement;

  const update = () => {
    const entered = new FormData(form);
    const isShown = visibility();
    const isRequired = requirement();
    const answers = { ...earlier };
    const indexes: string[] = [];
    for (const item of items) {
      const { element } = item;
      element.hidden = !isShown(item, answers);
      if (element.hidden) continue;
      indexes.push(element.id.slice(2));
      const optional = element.querySelector<HTMLElement>('.optional');
      if (item.required_if && optional) optional.hidden = isRequired(item, answers);
      const { key, answer, trim } = element.dataset;
      const read = { kind: answer as AnswerKind, trim: trim !== 'false' };
      if (key) answers[key] = answerIn(entered, key, read, form.dataset.language ?? '');
    }
    shown.value = indexes.join(' ');
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
}

function conditionIn(json: string | undefined): Condition | undefined {
  return json ? (JSON.parse(json) as Condition) : undefined;
}

function answerIn(entered: FormData, key: string, read: AnswerForm, language: string): unknown {
  if (read.kind !== 'file') return answerOf(read, entered.getAll(`a.${key}`).map(String), language);
  // A condition can only ask whether there is a file.
  const isChosen = entered.getAll(`file.${key}`).some((file) => file instanceof File && file.name !== '');
  return isChosen || entered.has(`kept.${key}`) ? key : undefined;
}
