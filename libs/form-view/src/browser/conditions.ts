import { visibility, type Condition, type FormItem } from '@sheaf/contracts';
import { answerOf } from './answer';

/** Shows and hides questions while somebody answers. The server does the same once the page is sent. */
export function followConditions(form: HTMLFormElement): void {
  const items = [...form.querySelectorAll<HTMLElement>('[data-type]')].map((element) => ({
    element,
    type: element.dataset.type as FormItem['type'],
    visible_if: element.dataset.if ? (JSON.parse(element.dataset.if) as Condition) : undefined,
  }));
  if (!items.some(({ visible_if }) => visible_if)) return;
  const earlier = JSON.parse(form.dataset.earlier ?? '{}') as Record<string, unknown>;
  const shown = form.elements.namedItem('shown') as HTMLInputElement;

  const update = () => {
    const entered = new FormData(form);
    const isShown = visibility();
    const answers = { ...earlier };
    const indexes: string[] = [];
    for (const item of items) {
      const { element, type } = item;
      element.hidden = !isShown(item, answers);
      if (element.hidden) continue;
      indexes.push(element.id.slice(2));
      const { key } = element.dataset;
      if (key) answers[key] = answerOf(type, textsOf(entered, key));
    }
    shown.value = indexes.join(' ');
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
}

/** The values of all controls of a question. Of a chosen file, the name stands for the file. */
const textsOf = (entered: FormData, key: string): string[] =>
  ['a', 'kept', 'file'].flatMap((prefix) =>
    entered.getAll(`${prefix}.${key}`).flatMap((value) => (typeof value === 'string' ? [value] : value.name ? [value.name] : [])),
  );
