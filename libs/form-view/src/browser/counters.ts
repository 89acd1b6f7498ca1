import { lengthOf } from '@sheaf/contracts';

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Writes a count into the sentence with the right plural, as the server would. */
export const sentenceOf = (forms: Forms, count: number, language: string): string =>
  (forms[new Intl.PluralRules(language).select(count)] ?? forms.other).replaceAll('#', new Intl.NumberFormat(language).format(count));

/** Tells how many characters are left: at once for the eyes, and in a pause, once they become few, for the ears. */
export function countCharacters(form: HTMLFormElement): void {
  const { left, over, counted } = form.dataset;
  if (!left || !over || !counted) return;
  const forms = { left: JSON.parse(left) as Forms, over: JSON.parse(over) as Forms };

  for (const area of form.querySelectorAll<HTMLTextAreaElement>('[data-max]')) {
    const shown = document.getElementById(area.id.replace('f-', 'c-'));
    if (!shown) continue;
    const spoken = document.createElement('span');
    spoken.className = 'unseen';
    spoken.setAttribute('role', 'status');
    shown.after(spoken);

    const max = Number(area.dataset.max);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      const rest = max - lengthOf(area.value);
      const sentence = rest < 0 ? sentenceOf(forms.over, -rest, counted) : sentenceOf(forms.left, rest, counted);
      shown.textContent = sentence;
      shown.classList.toggle('over', rest < 0);
      return rest < max / 5 ? sentence : '';
    };
    area.addEventListener('input', () => {
      const sentence = update();
      clearTimeout(timer);
      timer = setTimeout(() => (spoken.textContent = sentence), 1_000);
    });
    update();
  }
}
