import { Fragment, type ReactNode } from 'react';
import { Formatted, FormattedLabel } from '../parts/formatted';
import { WithAnswers } from '../parts/piped';
import { Written } from '../parts/text';
import { useReading } from '../reading';
import { describedBy, faultIdOf, hasHint, hintIdOf, idOf, invalid, type Control } from './control';

/** The label, and whether the question may stay unanswered. Most questions are required, so the others are marked. */
export function Label({ control: { mayBeEmpty, texts } }: { control: Control }) {
  const { words } = useReading();
  return (
    <>
      {texts.formatted ? <FormattedLabel text={texts.formatted} /> : <WithAnswers text={texts.label} />}
      {mayBeEmpty !== 'never' && (
        <span className="optional" hidden={mayBeEmpty === 'depends'}>
          {' '}
          ({words.optional})
        </span>
      )}
    </>
  );
}

/** The help and rules of a question, and what is wrong with the answer; of a part of it, this is beside the part. */
export function Hints({ control }: { control: Control }) {
  const { texts, rules, faultyPart } = control;
  return (
    <>
      {hasHint(control) && (
        <div className="hint" id={hintIdOf(control)}>
          {texts.help && <Formatted text={texts.help} hasAnswers />}
          {rules.map((rule) => (
            <p key={rule}>{rule}</p>
          ))}
        </div>
      )}
      {faultyPart === undefined && <Sentences control={control} />}
    </>
  );
}

export function Sentences({ control }: { control: Control }) {
  const { sentences } = control;
  if (sentences.length === 0) return null;
  return (
    <p className="fault" id={faultIdOf(control)}>
      {sentences.map((sentence, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {typeof sentence === 'string' ? sentence : <Written text={sentence} />}
        </Fragment>
      ))}
    </p>
  );
}

/** A question with a single control. */
export const Single = ({ control, children }: { control: Control; children: ReactNode }) => (
  <>
    <label className="label" htmlFor={idOf(control)}>
      <Label control={control} />
    </label>
    <Hints control={control} />
    {children}
  </>
);

/** A question with several controls. Only a group of radio buttons can be invalid as a whole; each check box says it for itself. */
export function Group({ control, isRadio, children }: { control: Control; isRadio: boolean; children: ReactNode }) {
  return (
    <fieldset
      role={isRadio ? 'radiogroup' : undefined}
      aria-invalid={isRadio ? invalid(control) : undefined}
      aria-describedby={describedBy(control)}
    >
      <legend className="label">
        <Label control={control} />
      </legend>
      <Hints control={control} />
      {children}
    </fieldset>
  );
}
