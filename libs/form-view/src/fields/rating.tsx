import { boundsOf, type Field } from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { Written } from '../parts/text';
import { useReading } from '../reading';
import { Choices } from './choice-controls';
import type { Control } from './control';
import { SelectBox } from './text-controls';

/** Longer scales are shorter as a list box. */
const maxScale = 20;

/** The steps of a scale, side by side. A step is named with its place on the scale, and those at the ends also by what they mean. */
export function Rating({ control }: { control: Control }) {
  const { language, words } = useReading();
  const { low, high } = control.texts.ends;
  const { min = 1, max = 5 } = boundsOf(control.field);
  const { appearance = 'numbers' } = control.field;
  const numbers = new Intl.NumberFormat(language);
  const steps = Array.from({ length: Math.min(max - min + 1, 1_000) }, (_, index) => min + index);
  const endOf = (step: number) => (step === min ? low : step === max ? high : undefined);

  if (steps.length > maxScale) {
    const options = steps.map((step) => {
      const end = endOf(step);
      return { value: String(step), text: end ? `${numbers.format(step)} – ${end.text}` : numbers.format(step) };
    });
    return <SelectBox control={control} options={options} />;
  }
  const choices = steps.map((step, index) => {
    const end = endOf(step);
    return {
      value: String(step),
      label: (
        <>
          <span aria-hidden="true">{look[appearance]?.(steps.length === 1 ? 1 : index / (steps.length - 1)) ?? numbers.format(step)}</span>
          <span className="unseen">
            {words.ratingOf(numbers.format(step), numbers.format(max))}
            {end && ', '}
            {end && <Written text={end} />}
          </span>
        </>
      ),
    };
  });
  return (
    <Choices
      control={control}
      type="radio"
      choices={choices}
      className={`choices scale ${appearance}`}
      ends={
        (low ?? high) && (
          <div className="ends" aria-hidden="true">
            <span>{low && <Written text={low} />}</span>
            <span>{high && <Written text={high} />}</span>
          </div>
        )
      }
    />
  );
}

/** The picture of a step, by its place on the scale from 0 to 1; a step without one shows its number. */
const look: Partial<Record<NonNullable<Field['appearance']>, (place: number) => ReactNode>> = {
  stars: () => <Picture path="m12 3 2.8 5.7 6.2.9-4.5 4.4 1.1 6.2-5.6-3-5.6 3 1.1-6.2L3 9.6l6.2-.9z" />,
  faces: (place) => <Picture path={`M12 3a9 9 0 1 0 .01 0M9 9.5v.5M15 9.5v.5M8 15.5Q12 ${(11.5 + 8 * place).toFixed(1)} 16 15.5`} />,
};

const Picture = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor">
    <path d={path} />
  </svg>
);
