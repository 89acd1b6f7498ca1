import { listSubjectSubmissions, type SubjectMatch } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Search, UserX } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/fields';
import { LoadMore } from '../../parts/loaded';
import { PageHead, Section } from '../../parts/page';
import { Rows } from '../../parts/rows';
import { Problem } from '../../parts/problem';
import { Badge, Empty, Skeleton } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { useFormTitles } from '../form-titles';
import style from '../settings.module.css';
import { EraseDialog } from './erase-dialog';

/** Submissions that are shown before the person is asked whether to search on. */
const atOnce = 50;

/** The submissions of somebody to all forms, to show or to erase them. The value stays out of the address: it names a person. */
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
  const pages = useMatches(value);
  const { data, error, isPending, refetch, hasNextPage } = pages;
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
      <LoadMore pages={pages} label={say.searchOn} />
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
    <Rows
      label={say.people}
      rows={matches}
      keyOf={(match) => match.submission_id}
      columns={[
        {
          head: say.sent,
          cell: ({ place, form_id: form, submission_id: submission, created_at: created }) => {
            const time = formats.dateTime(created);
            if (place !== 'list') return time;
            return (
              <a href={`/console/forms/${form}/submissions?submission=${submission}`} aria-label={say.openSubmission(time)}>
                {time}
              </a>
            );
          },
        },
        { head: say.inForm, cell: ({ form_id: form }) => <span dir="auto">{titles.get(form) ?? <code>{form}</code>}</span> },
        {
          head: say.answers,
          cell: ({ keys, data }) =>
            keys.map((key) => (
              <div key={key} dir="auto" className={style.wrap}>
                <span className="muted">{key}:</span> {textOf(data[key])}
              </div>
            )),
        },
        {
          head: say.place,
          cell: ({ place }) => <Badge tone={place === 'list' ? 'active' : 'neutral'}>{places[place]}</Badge>,
        },
      ]}
    />
  );
}

/** An answer that equals a text is a text, or a list or an object with such a text in it. */
const textOf = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''));
