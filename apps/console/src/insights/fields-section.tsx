import type { FormInsights, FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionQuery } from '../form/form-version';
import { Button } from '../parts/button';
import { Section } from '../parts/page';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';
import { FieldCard } from './field-card';
import style from './insights.module.css';
import { withQuestions } from './insights-query';

/** Cards beyond these are drawn once they are wanted. */
const shownCards = 20;

/** The answers, and how often they were given. Counts are of all submissions, whatever the period of the chart. */
export function FieldsSection({ form, data }: { form: FormSettingsDetail; data: FormInsights }) {
  const say = useWords('insights');
  const formats = useFormats();
  const [isAll, setIsAll] = useState(false);
  const { data: version } = useQuery(versionQuery(form));
  const fields = withQuestions(data.fields, version?.fields ?? []);
  const isKnown = version !== undefined;
  const counted = fields.filter(({ options, numbers, omitted }) => options ?? numbers ?? omitted);
  return (
    <>
      <Section title={say.answers} help={say.ofAll}>
        {counted.length === 0 ? (
          <p className="muted">{say.onlyTexts}</p>
        ) : (
          <div className={style.cards}>
            {counted.slice(0, isAll ? undefined : shownCards).map((field) => (
              <FieldCard key={field.key} formId={form.id} field={field} isGone={isKnown && !field.question} />
            ))}
          </div>
        )}
        {!isAll && counted.length > shownCards && (
          <div>
            <Button onPress={() => setIsAll(true)}>{say.showAllQuestions(formats.number(counted.length))}</Button>
          </div>
        )}
      </Section>
      <Section title={say.answered} help={say.answeredHelp}>
        <BarTable
          label={say.answered}
          head={say.question}
          countHead={say.answers}
          shown={30}
          bars={fields.map(({ key, label, question, answered, answered_share: share }) => ({
            id: key,
            label,
            note: isKnown && !question ? say.removed : undefined,
            count: answered,
            share,
          }))}
        />
      </Section>
    </>
  );
}
