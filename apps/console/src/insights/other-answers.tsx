import { searchSubmissions } from '@sheaf/client';
import { otherKey } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './insights.module.css';

/** The rest is in the list of submissions. */
const maxTexts = 50;

/** The newest texts of those who chose *Other*. */
export function OtherAnswers({ formId, choice }: { formId: string; choice: string }) {
  const say = useWords('insights');
  const formats = useFormats();
  const [isWanted, setIsWanted] = useState(false);
  const key = otherKey(choice);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['form', formId, 'insights', 'other', key],
    queryFn: ({ signal }) =>
      searchSubmissions({ client, path: { id: formId }, query: { filter: { [key]: { answered: ['true'] } }, limit: maxTexts }, signal }),
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
