import type { FormSettingsDetail } from '@sheaf/client';
import { useState } from 'react';
import { Button } from '../parts/button';
import { Section } from '../parts/page';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';
import { FieldCard } from './field-card';
import style from './insights.module.css';
import type { CountedField } from './insights-query';
import type { Narrowing } from './narrowing';
import type { Span } from './period';

/** Cards beyond these are drawn once they are wanted. */
const shownCards = 20;

interface FieldsSectionProps {
  form: FormSettingsDetail;
  fields: readonly CountedField[];
  /** How many submissions they are of. */
  submissions: number;
  /** Whether the fields of the published version are known. */
  isKnown: boolean;
  /** The sentence that says which submissions they are of. */
  of: string;
  span: Span;
  narrowing: Narrowing;
}

/** The answers, and how often they were given. */
export function FieldsSection({ form, fields, submissions, isKnown, of, span, narrowing }: FieldsSectionProps) {
  const say = useWords('insights');
  const formats = useFormats();
  const [isAll, setIsAll] = useState(false);
  const isOfAsked = fields.every(({ asked }) => asked !== undefined);
  const counted = fields.filter(({ options, numbers, rows, omitted }) => options ?? numbers ?? rows ?? omitted);
  return (
    <>
      <Section title={say.answers} help={of}>
        {counted.length === 0 ? (
          <p className="muted">{say.onlyTexts}</p>
        ) : (
          <div className={style.cards}>
            {counted.slice(0, isAll ? undefined : shownCards).map((field) => (
              <FieldCard key={field.key} form={form} field={field} isGone={isKnown && !field.question} span={span} narrowing={narrowing} />
            ))}
          </div>
        )}
        {!isAll && counted.length > shownCards && (
          <div>
            <Button onPress={() => setIsAll(true)}>{say.showAllQuestions(formats.number(counted.length))}</Button>
          </div>
        )}
      </Section>
      <Section title={say.answered} help={isOfAsked ? say.answeredHelp : `${say.answeredHelp} ${say.shareOfAll}`}>
        <BarTable
          label={say.answered}
          head={say.question}
          countHead={say.answers}
          shown={30}
          bars={fields.map(({ key, label, question, answered, asked, answered_share: share }) => ({
            id: key,
            label,
            note: notesOf(
              isKnown && !question && say.removed,
              asked !== undefined && asked !== submissions && say.wereAsked(formats.number(asked)),
            ),
            count: answered,
            share,
          }))}
        />
      </Section>
    </>
  );
}

/** As one text; undefined if there are none. */
const notesOf = (...notes: readonly (string | false)[]): string | undefined => {
  const told = notes.filter((note) => note !== false);
  return told.length === 0 ? undefined : told.join(' ');
};
