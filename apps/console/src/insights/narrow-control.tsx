import type { FormInsights } from '@sheaf/client';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Button } from '../parts/button';
import { Select } from '../parts/fields';
import { download } from '../parts/download';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { figuresCsv } from './figures-csv';
import { answersToNarrowBy, hasAnswersToNarrowBy, useOptionName, type CountedField } from './insights-query';
import style from './insights.module.css';
import { isFiltered, statuses, type InsightsSearch, type Narrowing } from './narrowing';
import { useStatusNames } from './status-section';

interface NarrowControlProps {
  title: string;
  data: FormInsights;
  fields: readonly CountedField[];
  search: InsightsSearch;
  narrowing: Narrowing;
}

interface Choice {
  value: string;
  label: string;
}

/** No status and no question is called this. */
const any = '';

/** Which submissions are counted, and the way to take the figures elsewhere. The choice is in the address. */
export function NarrowControl({ title, data, fields, search, narrowing }: NarrowControlProps) {
  const say = useWords('insights');
  const language = useLanguage();
  const formats = useFormats();
  const statusNames = useStatusNames();
  const optionName = useOptionName();
  const navigate = useNavigate({ from: '/console/forms/$form/insights' });
  const go = (next: InsightsSearch) =>
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  // One that is chosen stays, also where nobody answered it: otherwise it could not be taken back.
  const questions = fields.filter((field) => field.key === search.question || hasAnswersToNarrowBy(field, say));
  const question = questions.find(({ key }) => key === search.question);
  const { narrowed } = data;
  const exportFigures = () => {
    const statusName = (status: string) => statusNames[status] ?? status;
    const csv = figuresCsv({ data, fields, isNarrow: isFiltered(narrowing) }, say, { statusName, optionName });
    download(`${title}.csv`, csv, 'text/csv');
  };
  return (
    <div className={style.narrow}>
      <div className={style.dates} role="group" aria-label={say.showOnly}>
        <Select
          label={say.status}
          options={[{ value: any, label: say.allStatuses }, ...statuses.map((value) => ({ value, label: statusNames[value] ?? value }))]}
          value={narrowing.status?.[0] ?? any}
          onChange={(status) => go({ status: status === any ? undefined : status })}
        />
        {questions.length > 0 && (
          <Select
            label={say.question}
            options={[{ value: any, label: say.allAnswers }, ...questions.map(({ key, label }) => ({ value: key, label }))]}
            value={question?.key ?? any}
            onChange={(key) => go({ question: key === any ? undefined : key, answer: undefined })}
          />
        )}
        {question && (
          <Select
            label={say.option}
            placeholder={say.chooseAnswer}
            options={withChosen(answersToNarrowBy(question, say, language), search.answer, (value) => optionName(question, { value }))}
            value={search.answer ?? null}
            onChange={(answer) => go({ answer })}
          />
        )}
        <div className={style.export}>
          <Button icon={Download} onPress={exportFigures}>
            {say.exportCsv}
          </Button>
        </div>
      </div>
      {narrowed && (isFiltered(narrowing) || narrowed.cut) && (
        <p role="status" className="muted">
          {isFiltered(narrowing) && say.matching(formats.number(narrowed.submissions))}{' '}
          {narrowed.cut && say.newestOnly(formats.number(narrowed.examined))}
        </p>
      )}
    </div>
  );
}

const withChosen = (choices: readonly Choice[], chosen: string | undefined, nameOf: (value: string) => string): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label: nameOf(chosen) }];
