// Shows answers in the texts of the same page while they are typed, after conditions.ts has hidden what is not asked. Without it, they are shown
// once the page is sent.
import { otherKey, otherValue, type AnswerKind } from '@sheaf/contracts';
import { answerText, type AnswerWords } from '../answers/answer-text';
import { nothing } from '../answers/calculated';
import { answerIn, filesIn } from './entered';

const form = document.querySelector<HTMLFormElement>('main form');
if (form) showAnswers(form);

function showAnswers(form: HTMLFormElement): void {
  const { language = '', listed: locale = '', yes = '', no = '' } = form.dataset;
  const places = [...document.querySelectorAll<HTMLElement>('[data-pipe]')];
  const questionOf = (key: string) => form.querySelector<HTMLElement>(`[data-key="${key}"]`);

  const textOf = (key: string, entered: FormData): string => {
    const question = questionOf(key);
    if (!question || question.hidden) return '';
    // The script before has written it.
    const result = question.dataset.result ?? question.querySelector('output bdi')?.textContent ?? undefined;
    if (result !== undefined) return result === nothing ? '' : result;
    const kind = question.dataset.answer as AnswerKind;
    const labelOf: AnswerWords['labelOf'] = (value) => (value === otherValue && otherOf(key, entered)) || labelIn(question, value);
    const answer = kind === 'file' ? namesIn(question, key, entered) : answerIn(entered, question, language);
    return answerText(kind, answer, { locale, yes, no, labelOf });
  };
  const otherOf = (key: string, entered: FormData): string => {
    const other = questionOf(otherKey(key));
    return other ? answerText('text', answerIn(entered, other, language), { locale, yes, no, labelOf: String }) : '';
  };
  const update = () => {
    const entered = new FormData(form);
    for (const place of places) {
      const text = textOf(place.dataset.pipe ?? '', entered) || (place.dataset.else ?? '');
      // Nothing else is touched while somebody types.
      if (place.textContent !== text) place.textContent = text;
    }
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
}

function labelIn(question: HTMLElement, value: string): string {
  const choice = [...question.querySelectorAll<HTMLInputElement | HTMLOptionElement>('.choice input, option')].find(
    (each) => each.value === value,
  );
  if (choice instanceof HTMLOptionElement) return choice.text;
  // Stars and faces have their number beside them.
  return choice?.labels?.[0]?.textContent ?? value;
}

const namesIn = (question: HTMLElement, key: string, entered: FormData): string[] | undefined => {
  const names = [...[...question.querySelectorAll('.files bdi')].map(({ textContent }) => textContent), ...filesIn(entered, key)];
  return names.length > 0 ? names : undefined;
};
