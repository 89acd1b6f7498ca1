import { listSubjectSubmissions, type SubjectMatch } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Search, UserX } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/fields';
import { PageHead, Section, Table } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Badge, Empty, Skeleton } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { useFormTitles } from '../form-titles';
import style from '../settings.module.css';
import { EraseDialog } from './erase-dialog';

/** Submissions that are shown before the person is asked whether to search on. */
const atOnce = 50;

/** What somebody has sent to all forms, to show it to them or to erase it. The value stays out of the address: it names a person. */
export function FindPerson() {
  const say = useWords('settings').instance;
  const [typed, setTyped] = useState('');
  const [value, setValue] = useState<string>();
  const [isTooShort, setIsTooShort] = useState(false);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    setIsTooShort(wanted.length < 2);
    if (wanted.length >= 2) setValue(wanted);
  };
  return (
    <Section title={say.people} help={say.peopleHelp}>
      <form className={style.search} onSubmit={send} noValidate role="search">
        <TextField
          label={say.value}
          value={typed}
          onChange={setTyped}
          maxLength={200}
          autoComplete="off"
          fault={isTooShort ? say.tooShort : undefined}
        />
        <Button type="submit" look="primary" icon={Search}>
          {say.find}
        </Button>
      </form>
      {value !== undefined && <Matches key={value} value={value} />}
    </Section>
  );
}

function useMatches(value: string) {
  return useInfiniteQuery({
    queryKey: ['subjects', value],
    gcTime: 0,
    queryFn: async ({ pageParam, signal }) => {
      const matches: SubjectMatch[] = [];
      let cursor: string | null | undefined = pageParam;
      let isComplete = true;
      // A request reads only so much, and may find nothing in that.
      do {
        const page = await listSubjectSubmissions({
          client,
          query: { value, limit: atOnce, ...(cursor === undefined ? {} : { cursor }) },
          signal,
        });
        matches.push(...page.data);
        isComplete &&= page.indexed;
        cursor = page.next_cursor;
      } while (cursor !== null && matches.length < atOnce);
      return { matches, isComplete, cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor ?? undefined,
  });
}

function Matches({ value }: { value: string }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useMatches(value);
  const [isErasing, setIsErasing] = useState(false);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton lines={3} />;
  const matches = data.pages.flatMap((page) => page.matches);
  const isComplete = data.pages.every((page) => page.isComplete);
  const count = formats.number(matches.length);
  return (
    <div className={style.matches}>
      {!isComplete && <p role="status">{say.notIndexed}</p>}
      {matches.length === 0 && !hasNextPage ? (
        <Empty icon={UserX} title={say.nobody}>
          {say.nobodyHelp(value)}
        </Empty>
      ) : (
        <>
          <PageHead
            level={3}
            title={hasNextPage ? say.foundSoFar(count) : say.found(count)}
            actions={
              <Button look="danger" onPress={() => setIsErasing(true)}>
                {say.erase}
              </Button>
            }
          />
          <MatchTable matches={matches} />
        </>
      )}
      {hasNextPage && (
        <div>
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {say.searchOn}
          </Button>
        </div>
      )}
      {isErasing && <EraseDialog value={value} onErased={() => void refetch()} onClose={() => setIsErasing(false)} />}
    </div>
  );
}

function MatchTable({ matches }: { matches: readonly SubjectMatch[] }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  const titles = useFormTitles();
  const places = { list: say.list, trash: say.trash, spam: say.spam };
  return (
    <Table label={say.people}>
      <thead>
        <tr>
          <th scope="col">{say.sent}</th>
          <th scope="col">{say.inForm}</th>
          <th scope="col">{say.answers}</th>
          <th scope="col">{say.place}</th>
        </tr>
      </thead>
      <tbody>
        {matches.map((match) => (
          <tr key={match.submission_id}>
            <td>
              {match.place === 'list' ? (
                <a
                  href={`/console/forms/${match.form_id}/submissions?submission=${match.submission_id}`}
                  aria-label={say.openSubmission(formats.dateTime(match.created_at))}
                >
                  {formats.dateTime(match.created_at)}
                </a>
              ) : (
                formats.dateTime(match.created_at)
              )}
            </td>
            <td dir="auto">{titles.get(match.form_id) ?? <code>{match.form_id}</code>}</td>
            <td>
              {match.keys.map((key) => (
                <div key={key} dir="auto" className={style.wrap}>
                  <span className="muted">{key}:</span> {textOf(match.data[key])}
                </div>
              ))}
            </td>
            <td>
              <Badge tone={match.place === 'list' ? 'active' : 'neutral'}>{places[match.place]}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** An answer that equals a text is a text, or a list or an object with such a text in it. */
const textOf = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''));
