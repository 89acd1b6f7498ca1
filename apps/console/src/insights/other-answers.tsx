import { searchSubmissions, type FormSettingsDetail } from '@sheaf/client';
import { otherKey } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { usualZone } from '../share/wall-time';
import style from './insights.module.css';
import { searchOf, type Narrowing } from './narrowing';
import type { Span } from './period';

/** The rest is in the list of submissions. */
const maxTexts = 50;

interface OtherAnswersProps {
  form: FormSettingsDetail;
  choice: string;
  span: Span;
  narrowing: Narrowing;
}

/** The newest texts of those who chose *Other*, of the submissions that are counted. */
export function OtherAnswers({ form, choice, span, narrowing }: OtherAnswersProps) {
  const say = useWords('insights');
  const formats = useFormats();
  const [isWanted, setIsWanted] = useState(false);
  const key = otherKey(choice);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['form', form.id, 'insights', 'other', key, span, narrowing],
    queryFn: ({ signal }) => {
      const { filter, ...conditions } = searchOf(narrowing, span, form.timezone ?? usualZone);
      const query = { ...conditions, filter: { ...filter, [key]: { answered: ['true'] } }, limit: maxTexts };
      return searchSubmissions({ client, path: { id: form.id }, query, signal });
    },
    enabled: isWanted,
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div>
        <Button isSmall onPress={() => setIsWanted(true)} isPending={isFetching}>
          {say.showOthers}
        </Button>
      </div>
    );
  const texts = data.data.flatMap(({ id, data: answers }) => (typeof answers[key] === 'string' ? [{ id, text: answers[key] }] : []));
  return (
    <div className={style.others}>
      <p className="muted">{say.othersShown(formats.number(texts.length))}</p>
      <ul>
        {texts.map(({ id, text }) => (
          <li key={id} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
