import type { StepCount } from '@sheaf/client';
import { Section } from '../parts/page';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';
import { nameOfStep } from './steps';

/** How many respondents got to each page of the form, and how many left there, in the period of the chart. */
export function StepsSection({ steps }: { steps: readonly StepCount[] }) {
  const say = useWords('insights');
  const formats = useFormats();
  const most = Math.max(...steps.map(({ reached }) => reached));
  return (
    <Section title={say.steps} help={say.stepsHelp}>
      {most === 0 ? (
        <p className="muted">{say.noVisits}</p>
      ) : (
        <BarTable
          label={say.steps}
          head={say.page}
          countHead={say.reached}
          shown={30}
          bars={steps.map((step, at) => {
            // Of those who go on in the period, some got to the page before it.
            const left = Math.max(step.reached - step.went_on, 0);
            return {
              id: String(at),
              label: nameOfStep(step, at, say),
              note: left === 0 ? undefined : say.leftHere(formats.number(left), formats.percent(left / step.reached)),
              count: step.reached,
              share: step.reached / most,
            };
          })}
        />
      )}
    </Section>
  );
}
